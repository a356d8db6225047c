-- The first proof of each milestone: a time, then pairs of kind and number (a stored name has no kind); the earliest
-- counts of several. And what leads to each milestone, counted.

-- proof: memory
SELECT s.decided_at AS at, 'turn', s.turn_id, 'memory', s.memory_id FROM scratch_buffer s
  JOIN memory_sources x ON x.memory_id=s.memory_id AND x.turn_id=s.turn_id WHERE s.state='persisted'
  ORDER BY at, s.id LIMIT 1;

-- proof: retrieval
SELECT at, NULL, item, 'turn', (SELECT id FROM turns WHERE turns.turn_key=r.turn_key AND speaker='companion'
  ORDER BY id LIMIT 1) FROM retrievals r WHERE injected=1 AND used=1 AND rank>0 ORDER BY at, id LIMIT 1;

-- found by association, not by a search
-- proof: association
SELECT at, NULL, item, 'turn', (SELECT id FROM turns WHERE turns.turn_key=r.turn_key AND speaker='companion'
  ORDER BY id LIMIT 1) FROM retrievals r WHERE injected=1 AND used=1 AND rank=0 ORDER BY at, id LIMIT 1;

-- proof: goal_weight
SELECT l.at, 'memory', l.memory_id FROM consolidation_log l JOIN memories m ON m.id=l.memory_id WHERE
  l.operation IN ('promotion', 'second promotion') AND l.alpha_after>l.alpha_before AND category='goal' AND
  NOT EXISTS (SELECT 1 FROM consolidation_log u WHERE u.memory_id=l.memory_id AND u.cycle=l.cycle AND
  u.operation='undo ' || l.operation) ORDER BY l.at, l.id LIMIT 1;

-- proof: identity_weight
SELECT l.at, 'memory', l.memory_id FROM consolidation_log l JOIN memories m ON m.id=l.memory_id WHERE
  l.operation IN ('promotion', 'second promotion') AND l.alpha_after>l.alpha_before AND (type='narrative' OR
  coalesce(category, '') IN ('identity', 'self', 'value', 'boundary')) AND NOT EXISTS (SELECT 1
  FROM consolidation_log u WHERE u.memory_id=l.memory_id AND u.cycle=l.cycle AND u.operation='undo ' ||
  l.operation) ORDER BY l.at, l.id LIMIT 1;

-- a self-question answered from memory, or a thought that led to a message
-- proof: self_prompt
SELECT answered_at AS at, 'question', id, 'memory', memory_id FROM self_questions WHERE state='answered' AND
  memory_id IS NOT NULL ORDER BY at, id LIMIT 1;

-- proof: self_prompt
SELECT at, NULL, source, 'turn', turn_id FROM outreach_decisions WHERE verdict='sent' AND item_id
  IS NOT NULL AND turn_id IS NOT NULL AND (source GLOB 'self_questions:*' OR source
  GLOB 'inner_monologue:*') ORDER BY at, id LIMIT 1;

-- a tension with one side gone, or an insight that gave way to new evidence
-- proof: conflict
SELECT valid_to AS at, 'memory', id, 'memory', json_extract(metadata, '$.value') FROM memories WHERE
  type='tension' AND json_extract(metadata, '$.resolved')=1 AND valid_to IS NOT NULL ORDER BY at, id LIMIT 1;

-- proof: conflict
SELECT at, 'memory', memory_id FROM consolidation_log WHERE operation='rejudged' AND memory_id IS NOT NULL
  AND json_extract(evidence, '$.outcome') IN ('updated', 'withdrawn') ORDER BY at, id LIMIT 1;

-- a commitment kept ten times, and the resulting self-observation
-- proof: goal
SELECT c.changed_at AS at, 'commitment', c.id, 'memory', m.id FROM commitments c JOIN memories m ON
  json_extract(m.metadata, '$.commitment')=c.id AND m.created_at>=c.changed_at WHERE c.state='retired' AND
  m.type='reflection' AND m.category='self' ORDER BY at, c.id LIMIT 1;

-- an unprompted message is among those that kept a commitment
-- proof: decision
SELECT j.at, 'turn', d.turn_id, 'commitment', j.commitment_id FROM commitment_judgements j,
  json_each(j.turn_ids) cited JOIN outreach_decisions d ON d.turn_id=cited.value WHERE j.verdict='honoured'
  AND d.verdict='sent' AND d.item_id IS NOT NULL ORDER BY j.at, j.commitment_id LIMIT 1;

-- leading: memory
SELECT count(*) FROM scratch_buffer WHERE decided_at IS NOT NULL;

-- leading: retrieval
SELECT count(*) FROM retrievals WHERE injected=1;

-- leading: goal_weight
SELECT count(*) FROM memories WHERE status='active' AND category='goal';

-- leading: self_prompt
SELECT count(*) FROM self_questions;

-- leading: identity_weight
SELECT count(*) FROM memories WHERE status='active' AND immutable=0 AND (type='narrative' OR
  coalesce(category, '') IN ('identity', 'self', 'value', 'boundary'));

-- leading: conflict
SELECT (SELECT count(*) FROM memories WHERE type='tension') + (SELECT count(*) FROM consolidation_log WHERE
  operation='rejudged');

-- leading: association
SELECT count(*) FROM retrievals WHERE injected=1 AND rank=0;

-- leading: goal
SELECT count(*) FROM commitments;

-- leading: decision
SELECT count(*) FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL;
