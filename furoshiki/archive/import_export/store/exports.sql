-- The query of each kind of record, in the order of the export file. A record comes after those that it refers to.
-- What is not restored from it has its words, for one and for several: reminders would ring again, questions be asked
-- again, and a companion's reflections belong to it alone.

-- record: turn
SELECT id, session_id AS session, at, speaker, text, channel, chat_id, kind, reply_to, replaced_by,
  external_id, attachments, signals, source, import_id, foreign_words
FROM turns ORDER BY id;

-- record: memory
SELECT id, type, content, content_contextualized AS contextualized, compressed, subject, predicate, object,
  category, valid_from, valid_to, event_time, created_at, last_accessed_at, access_count, hit_count, alpha,
  beta, immutable, source_tag, source_confidence AS confidence, status, utility, importance, charge,
  feelings, cold_since, metadata, unconfirmed,
  (SELECT json_group_array(turn_id) FROM memory_sources WHERE memory_id=memories.id) AS turn_ids,
  (SELECT json_group_array(at) FROM memory_accesses WHERE memory_id=memories.id) AS accesses
FROM memories ORDER BY id;

-- record: link
SELECT from_id AS "from", to_id AS "to", relation, confidence, created_at
FROM memory_links ORDER BY id;

-- record: co_access
SELECT a_id AS a, b_id AS b, count, last_at
FROM memory_co_access ORDER BY a_id, b_id;

-- record: session
SELECT session_id AS session, started_at, ended_at, topics, document AS text, connection_quality, warmth,
  authentic, grounded
FROM sessions ORDER BY id;

-- record: task | task | tasks
SELECT id, list_id AS list, title, notes, priority, due_at, due_zone, recurrence, state, created_at
FROM tasks ORDER BY id;

-- record: self_question | question of its own | questions of its own
SELECT id, kind, question, source, state, answer, answered_at, memory_id, created_at,
  (SELECT json_group_array(at) FROM self_question_times WHERE question_id=self_questions.id) AS times
FROM self_questions ORDER BY id;

-- record: journal | journal entry | journal entries
SELECT id, kind, day, at, passages, provider
FROM inner_monologue WHERE state='kept' AND passages!='[]' ORDER BY id;

-- record: anticipation | anticipation | anticipations
SELECT id, text, reason, cited AS turn_ids, expected_at, expires_at, state, created_at
FROM anticipations ORDER BY id;

-- record: emotional_weight | weight of a conversation | weights of conversations
SELECT session_id AS session, at, feelings, valence, intensity, note, turn_ids
FROM emotional_weights ORDER BY id;

-- record: commitment | commitment | commitments
SELECT id, text, sign, state, created_at, changed_at,
  (SELECT json_group_array(question) FROM pattern_questions AS p JOIN self_questions AS q ON
    q.id=p.question_id WHERE p.pattern_id=commitments.pattern_id) AS questions,
  (SELECT json_group_array(json_object('session', session_id, 'at', at, 'verdict', verdict, 'turn_ids',
    json(turn_ids))) FROM commitment_judgements WHERE commitment_id=commitments.id) AS judgements
FROM commitments ORDER BY id;

-- record: style_dimension
SELECT name, value, baseline, observations, updated_at
FROM style_dimensions ORDER BY name;

-- record: style_preference
SELECT name, strength, updated_at
FROM style_preferences ORDER BY name;

-- record: self_change | description of itself | descriptions of itself
SELECT id, at, state, before, text, similarity, changed_share, themes, reasons, provider, decided_at
FROM personality_drift_log WHERE changed_share>0 ORDER BY id;

-- record: outreach | decision about writing first | decisions about writing first
SELECT d.id, d.at, d.last_at, d.passes, d.kind, d.priority, q.summary AS about, d.source, d.verdict, d.gate,
  d.reason, d.gates, d.turn_id AS turn, d.outcome, d.outcome_at
FROM outreach_decisions AS d LEFT JOIN mind_queue AS q ON q.id=d.item_id ORDER BY d.id;

-- record: outreach_kind | habit of writing first | habits of writing first
SELECT kind, weight, answered, welcomed, ignored, disliked, changed_at
FROM outreach_kinds ORDER BY kind;

-- record: thought | thought | thoughts
SELECT id, kind, priority, summary, detail, draft, source, state, created_at, not_before, expires_at,
  sent_at
FROM mind_queue ORDER BY id;

-- record: operation | piece of longer work | pieces of longer work
SELECT id, kind, title, state, result, created_at, finished_at
FROM operations ORDER BY id;

-- record: picture | picture it drew | pictures it drew
SELECT id, subject, caption, own, state, model, usd, created_at, finished_at
FROM pictures ORDER BY id;

-- record: summary | summary | summaries
SELECT channel, chat_id, text, first_turn, last_turn, at
FROM conversation_summaries ORDER BY channel, chat_id;

-- record: feeling | moment of feelings | moments of feelings
SELECT id, at, emotions, needs, mood, cause
FROM emotion_history ORDER BY id;

-- record: user_need | moment of what you seemed to need | moments of what you seemed to need
SELECT id, at, need, level, confidence, evidence, cause
FROM user_needs_history ORDER BY id;

-- record: pattern | pattern of its conduct | patterns of its conduct
SELECT id, gist, state, looked_at, created_at
FROM behavioral_patterns ORDER BY id;

-- record: rejected | claim that was not believed | claims that were not believed
SELECT id, kind, content, cited AS turn_ids, reason, at
FROM rejected_extractions ORDER BY id;

-- record: account | pairing | pairings
SELECT id, channel, external_id, role, name, language, paired_at, blocked_at
FROM accounts ORDER BY id;

-- record: skill_run | run of a skill | runs of skills
SELECT id, name, args, ok, result, at
FROM skill_runs ORDER BY id;

-- record: repair | repair | repairs
SELECT id, source, kind, message, evidence, times AS happened, state, verdict, file, result, cost_usd,
  first_at, last_at
FROM repair_jobs ORDER BY id;

-- record: plugin | plugin | plugins
SELECT name, version, state, origin, permissions, failures, reason, installed_at, changed_at
FROM plugins ORDER BY name;

-- record: plugin_run | run of a plugin | runs of plugins
SELECT id, plugin, hook, target, status, ms, cpu_ms, cost_usd, error, log, at
FROM plugin_runs ORDER BY id;

-- record: plugin_wish | wish for a plugin | wishes for plugins
SELECT id, wish, source, name, state, cost_usd, confidence, proposal, reason, created_at, changed_at
FROM plugin_jobs ORDER BY id;

-- record: topic | topic | topics
SELECT id, channel, chat_id, name, messages, created_at, last_at
FROM topics ORDER BY id;

-- record: long_task | long task | long tasks
SELECT id, title, goal, source_tag, state, priority, coverage, cycles, result, reason, expires_at,
  created_at, changed_at,
  (SELECT json_group_array(json_object('number', number, 'text', text, 'depends_on', json(depends_on),
    'state', state, 'attempts', attempts, 'result', result)) FROM persistent_task_steps WHERE
    task_id=persistent_tasks.id) AS steps
FROM persistent_tasks ORDER BY id;

-- record: own_correction | correction of an answer of its own | corrections of answers of its own
SELECT id, type, focus, text, turn_id AS turn, shown, created_at
FROM reflection_bank ORDER BY id;

-- record: gist | passing thought | passing thoughts
SELECT id, source_tag, kind, text, rests_on, created_at
FROM gists ORDER BY id;

-- record: wandering | wandering | wanderings
SELECT id, seed_kind, activated, energy, action, outcome, reason, gist_id AS gist, at
FROM wanderings ORDER BY id;

-- record: concept | concept | concepts
SELECT id, name, seen, strength, last_accessed_at, created_at,
  (SELECT json_group_array(memory_id) FROM memory_concepts WHERE concept_id=concepts.id) AS memories
FROM concepts ORDER BY id;

-- record: concept_link | link of concepts | links of concepts
SELECT a_id AS a, b_id AS b, type, weight, last_reinforced_at
FROM concept_links ORDER BY a_id, b_id;

-- record: weight_change | change of a weight | changes of weights
SELECT id, at, operation, memory_id AS memory, alpha_before, beta_before, alpha_after, beta_after, evidence
FROM consolidation_log ORDER BY id;

-- record: cost | cost | costs
SELECT id, at, tier, provider, model, purpose, tokens_in, tokens_cached, tokens_out, cost_usd, calls
FROM llm_calls ORDER BY id;

-- record: value | value set in the chat | values set in the chat
SELECT key AS name, value, changed_at
FROM kv WHERE key LIKE 'user.%' OR key LIKE 'quiet%' OR key='asked_quiet' ORDER BY key;
