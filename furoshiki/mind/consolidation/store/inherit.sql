-- What an older memory (:keeper) takes over from a duplicate (:twin), in this order.

-- step: sources
INSERT OR IGNORE INTO memory_sources (memory_id, turn_id)
  SELECT :keeper, turn_id FROM memory_sources WHERE memory_id=:twin;

-- step: accesses
INSERT OR IGNORE INTO memory_accesses (memory_id, at)
  SELECT :keeper, at FROM memory_accesses WHERE memory_id=:twin;

-- step: the last accesses
DELETE FROM memory_accesses WHERE memory_id=:keeper AND at NOT IN
  (SELECT at FROM memory_accesses WHERE memory_id=:keeper ORDER BY at DESC LIMIT :kept);

-- step: figures
UPDATE memories SET
  access_count=memories.access_count+t.access_count,
  hit_count=memories.hit_count+t.hit_count+1,
  last_accessed_at=nullif(max(coalesce(memories.last_accessed_at, ''), coalesce(t.last_accessed_at, '')), ''),
  importance=max(memories.importance, t.importance),
  charge=max(memories.charge, t.charge),
  utility=max(memories.utility, t.utility),
  source_confidence=max(memories.source_confidence, t.source_confidence),
  event_time=coalesce(memories.event_time, t.event_time),
  compressed=coalesce(memories.compressed, t.compressed),
  cold_since=CASE WHEN t.cold_since IS NULL THEN NULL ELSE memories.cold_since END
  FROM memories t WHERE memories.id=:keeper AND t.id=:twin;

-- step: links, which the duplicate keeps as a record
INSERT OR IGNORE INTO memory_links (from_id, to_id, relation, confidence, created_at)
  SELECT :keeper, to_id, relation, confidence, created_at FROM memory_links
  WHERE from_id=:twin AND to_id!=:keeper;

-- step: links to it
INSERT OR IGNORE INTO memory_links (from_id, to_id, relation, confidence, created_at)
  SELECT from_id, :keeper, relation, confidence, created_at FROM memory_links
  WHERE to_id=:twin AND from_id!=:keeper;

-- step: company
INSERT INTO memory_co_access (a_id, b_id, count, last_at)
  SELECT min(other, :keeper), max(other, :keeper), count, last_at FROM
    (SELECT CASE WHEN a_id=:twin THEN b_id ELSE a_id END AS other, count, last_at FROM memory_co_access
     WHERE a_id=:twin OR b_id=:twin) WHERE other!=:keeper
  ON CONFLICT (a_id, b_id) DO UPDATE SET count=count+excluded.count, last_at=max(last_at, excluded.last_at);

-- step: no company of its own
DELETE FROM memory_co_access WHERE a_id=:twin OR b_id=:twin;

-- step: concepts
INSERT OR IGNORE INTO memory_concepts (memory_id, concept_id)
  SELECT :keeper, concept_id FROM memory_concepts WHERE memory_id=:twin;

-- step: archived
UPDATE memories SET status='archived' WHERE id=:twin;

-- step: superseded
INSERT INTO memory_links (from_id, to_id, relation, confidence, created_at)
  VALUES (:keeper, :twin, 'supersedes', 1.0, :now) ON CONFLICT DO NOTHING;
