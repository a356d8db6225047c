-- By topic of live updates: queries whose figures change without a new row.

-- topic: messages
SELECT count(*), max(claimed_at) FROM inbox WHERE state IN ('pending', 'processing');

-- topic: messages
SELECT count(*) FROM outbox WHERE state IN ('ready', 'sending');

-- topic: agenda
SELECT count(*), max(changed_at) FROM tasks;

-- topic: agenda
SELECT count(*), sum(attempts) FROM mind_queue WHERE state='pending';

-- topic: agenda
SELECT count(*), max(changed_at) FROM persistent_tasks;

-- topic: agenda
SELECT count(*), max(changed_at) FROM commitments;

-- topic: agenda
SELECT count(*), count(finished_at), max(finished_at), max(read_at), max(harvested_at) FROM operations;

-- topic: agenda
SELECT count(*), max(looked_at) FROM self_questions WHERE state IN ('open', 'user_required');

-- topic: memory
SELECT count(*) FROM memories;

-- topic: memory
SELECT count(*), sum(hit_count) FROM memories WHERE status='active';

-- topic: memory
SELECT max(value) FROM kv WHERE key='hot_and_cold.at';

-- topic: memory
SELECT count(*) FROM tombstones;

-- topic: memory
SELECT max(decided_at), max(filed_at) FROM personality_drift_log;

-- topic: jobs
SELECT max(last_started_at), max(last_finished_at), sum(failures) FROM job_state;

-- topic: jobs
SELECT max(changed_at) FROM repair_jobs;

-- topic: jobs
SELECT max(finished_at), count(finished_at)
  FROM (SELECT finished_at FROM run_log ORDER BY id DESC LIMIT 32);

-- topic: plugins
SELECT count(*), max(changed_at) FROM plugins;

-- topic: plugins
SELECT max(changed_at) FROM plugin_jobs;

-- topic: outreach
SELECT max(last_at) FROM outreach_decisions;

-- topic: outreach
SELECT max(changed_at) FROM outreach_kinds;
