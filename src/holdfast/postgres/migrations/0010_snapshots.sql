-- For a backup by who administers: `pg_dump --role=holdfast_admin --enable-row-security`.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA holdfast TO holdfast_admin;

-- A snapshot holds words of notes and of what was said. When something of these is removed for good, so is it.
CREATE FUNCTION holdfast.drop_snapshots() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  DELETE FROM holdfast.snapshot WHERE tenant IN (SELECT tenant FROM gone);
  RETURN NULL;
END $$;

CREATE TRIGGER object_gone AFTER DELETE ON holdfast.object
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION holdfast.drop_snapshots();
CREATE TRIGGER transcript_gone AFTER DELETE ON holdfast.transcript
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION holdfast.drop_snapshots();
