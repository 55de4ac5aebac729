-- A number by chance for each of the last changes of an agent's notes, the newest first. A database that was put back to
-- an earlier state, or a tenant that was deleted and imported, may count as many changes as a server knows of: the marks
-- say that they are others.
ALTER TABLE holdfast.home ADD COLUMN marks bigint[] NOT NULL DEFAULT '{}';
