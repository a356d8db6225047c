-- What becomes of the rows of a database from before the first release, by the schema that needs it no more.

-- Access counts and times of old memories; the weight (alpha and beta) of an immutable one.
-- before: 0002
UPDATE memories SET access_count=hit_count;

-- before: 0002
INSERT INTO memory_accesses (memory_id, at)
  SELECT id, last_accessed_at FROM memories WHERE last_accessed_at IS NOT NULL;

-- before: 0002
UPDATE memories SET alpha=50, beta=1 WHERE immutable=1;

-- All rows are embedded again; until then old vectors and full text are used.
-- before: 0002
UPDATE turns SET index_state='pending' WHERE index_state IN ('embedded', 'indexed');

-- before: 0002
UPDATE memories SET index_state='pending' WHERE index_state IN ('embedded', 'indexed');

-- The data of delivered files leaves the outbox.
-- before: 0005
UPDATE outbox SET extra=json_remove(extra, '$.data') WHERE state IN ('sent', 'failed') AND extra LIKE '%"data"%';

-- The utility of memories, from recorded answers.
-- before: 0007
UPDATE memories SET utility=of_use.share FROM (SELECT CAST(substr(item, 8) AS INTEGER) AS id, avg(used) AS share
  FROM retrievals WHERE item GLOB 'memory:*' AND injected=1 GROUP BY item) AS of_use WHERE of_use.id=memories.id;

-- Strength (10 % more per memory) and last access (the newest memory) of concepts.
-- before: 0011
UPDATE concepts SET last_accessed_at=(SELECT max(m.created_at) FROM memory_concepts h
  JOIN memories m ON m.id=h.memory_id WHERE h.concept_id=concepts.id), strength=CASE WHEN seen<2 THEN 0.5
  WHEN seen=2 THEN 0.55 WHEN seen=3 THEN 0.605 WHEN seen=4 THEN 0.666 WHEN seen=5 THEN 0.732
  WHEN seen=6 THEN 0.805 WHEN seen=7 THEN 0.886 WHEN seen=8 THEN 0.974 ELSE 1.0 END;
