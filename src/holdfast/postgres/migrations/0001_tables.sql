-- The truth of every tenant. Everything is named with its schema: a role of the schema's name would come first in
-- search_path. Row-level security is forced, so that even the owner of the tables sees one tenant's rows at a time.

CREATE TABLE holdfast.tenant (
  id           text PRIMARY KEY,
  class        text NOT NULL DEFAULT 'standard',
  created      timestamptz NOT NULL DEFAULT now(),
  max_notes    bigint,
  max_bytes    bigint,
  max_requests integer  -- a minute
);

-- One row for each agent. A search asks for its sequence, and a save takes the next one.
CREATE TABLE holdfast.home (
  tenant text NOT NULL REFERENCES holdfast.tenant (id),
  agent  text NOT NULL,
  seq    bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, agent)
);

CREATE TABLE holdfast.object (
  tenant text NOT NULL,
  hash   text NOT NULL,  -- SHA-256 in hexadecimal, as the file engine names its objects
  body   bytea NOT NULL,
  PRIMARY KEY (tenant, hash)
);

CREATE TABLE holdfast.note (
  tenant  text NOT NULL,
  agent   text NOT NULL,
  path    text NOT NULL,
  hash    text NOT NULL,
  size    bigint NOT NULL,
  seq     bigint NOT NULL,
  changed timestamptz NOT NULL,
  PRIMARY KEY (tenant, agent, path)
);
CREATE INDEX note_seq ON holdfast.note (tenant, agent, seq);

-- A row is a checkpoint; the rows of a group are of one transaction. `id` comes from the caller, so that a retry after
-- a lost answer finds its own save.
CREATE TABLE holdfast.journal (
  tenant text NOT NULL,
  agent  text NOT NULL,
  seq    bigint NOT NULL,
  kind   text NOT NULL DEFAULT 'change',
  id     text NOT NULL,
  path   text NOT NULL DEFAULT '',
  before text,
  after  text,
  origin text NOT NULL DEFAULT '',
  tool   text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  at     timestamptz NOT NULL,
  undoes text,
  grp    text NOT NULL DEFAULT '',
  step   integer NOT NULL DEFAULT 0,
  steps  integer NOT NULL DEFAULT 0,
  extra  jsonb,
  PRIMARY KEY (tenant, agent, seq),
  UNIQUE (tenant, agent, id, step)
);
CREATE INDEX journal_path ON holdfast.journal (tenant, agent, path, seq);

CREATE TABLE holdfast.transcript (
  tenant  text NOT NULL,
  agent   text NOT NULL,
  session text NOT NULL,
  n       bigint NOT NULL,
  line    bytea NOT NULL,
  PRIMARY KEY (tenant, agent, session, n)
);

-- What the file engine keeps as files of their own: holdfast.toml, USER.md, the state of sessions.
CREATE TABLE holdfast.file (
  tenant  text NOT NULL,
  agent   text NOT NULL,
  name    text NOT NULL,
  body    bytea NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant, agent, name)
);

CREATE TABLE holdfast.access_token (
  tenant  text NOT NULL REFERENCES holdfast.tenant (id),
  hash    text NOT NULL,
  role    text NOT NULL CHECK (role IN ('owner', 'agent', 'reader')),
  name    text NOT NULL DEFAULT '',
  created timestamptz NOT NULL DEFAULT now(),
  revoked timestamptz,
  PRIMARY KEY (tenant, hash)
);

-- Administrative acts. What became of a tenant is told after it is gone, so nothing here refers to it.
CREATE TABLE holdfast.audit (
  tenant text NOT NULL,
  n      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at     timestamptz NOT NULL DEFAULT now(),
  actor  text NOT NULL,
  act    text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_tenant ON holdfast.audit (tenant, n);

CREATE TABLE holdfast.lease (
  tenant text NOT NULL REFERENCES holdfast.tenant (id),
  agent  text NOT NULL,
  name   text NOT NULL,
  holder text NOT NULL,
  until  timestamptz NOT NULL,
  PRIMARY KEY (tenant, agent, name)
);

CREATE TABLE holdfast.snapshot (
  tenant text NOT NULL,
  agent  text NOT NULL,
  seq    bigint NOT NULL,
  data   bytea NOT NULL,
  taken  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, agent)
);

-- Requests of the minute. What a crash loses of it is a minute's count, so it is not logged.
CREATE UNLOGGED TABLE holdfast.request_count (
  tenant text PRIMARY KEY,
  minute bigint NOT NULL,
  count  integer NOT NULL
);

-- A tenant that may have so many notes or bytes is counted when it grows. Who lowers a limit below what is there keeps
-- nobody from removing and shortening.
CREATE FUNCTION holdfast.hold_quota(owner text) RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  quota record;
  held record;
BEGIN
  SELECT max_notes, max_bytes INTO quota FROM holdfast.tenant WHERE id = owner;
  IF quota.max_notes IS NULL AND quota.max_bytes IS NULL THEN
    RETURN;
  END IF;
  SELECT count(*) AS notes, coalesce(sum(size), 0) AS bytes INTO held FROM holdfast.note WHERE tenant = owner;
  IF held.notes > quota.max_notes THEN
    RAISE EXCEPTION USING ERRCODE = 'HF001', MESSAGE = 'notes', DETAIL = quota.max_notes::text;
  ELSIF held.bytes > quota.max_bytes THEN
    RAISE EXCEPTION USING ERRCODE = 'HF001', MESSAGE = 'bytes', DETAIL = quota.max_bytes::text;
  END IF;
END $$;

CREATE FUNCTION holdfast.note_added() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM holdfast.hold_quota(tenant) FROM (SELECT DISTINCT tenant FROM fresh) AS owners;
  RETURN NULL;
END $$;

CREATE FUNCTION holdfast.note_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF (SELECT coalesce(sum(size), 0) FROM fresh) > (SELECT coalesce(sum(size), 0) FROM stale) THEN
    PERFORM holdfast.hold_quota(tenant) FROM (SELECT DISTINCT tenant FROM fresh) AS owners;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER note_added AFTER INSERT ON holdfast.note
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION holdfast.note_added();
CREATE TRIGGER note_changed AFTER UPDATE ON holdfast.note
  REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION holdfast.note_changed();

-- One tenant's rows, by the setting of the transaction; none without one. Whoever administers sees all.
DO $$
DECLARE
  name text;
  owner text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tenant', 'home', 'object', 'note', 'journal', 'transcript', 'file', 'access_token',
                              'audit', 'lease', 'snapshot', 'request_count'] LOOP
    owner := CASE name WHEN 'tenant' THEN 'id' ELSE 'tenant' END;
    EXECUTE format('ALTER TABLE holdfast.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE holdfast.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON holdfast.%I TO holdfast_app USING (%I = current_setting(''holdfast.tenant'', true))',
                   name, owner);
    EXECUTE format('CREATE POLICY all_rows ON holdfast.%I TO holdfast_admin USING (true)', name);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast TO holdfast_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.home, holdfast.object, holdfast.note, holdfast.journal,
  holdfast.transcript, holdfast.file, holdfast.lease, holdfast.snapshot, holdfast.request_count TO holdfast_app;
GRANT SELECT ON holdfast.migration, holdfast.tenant, holdfast.access_token TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.audit TO holdfast_app;
REVOKE ALL ON FUNCTION holdfast.hold_quota(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION holdfast.hold_quota(text) TO holdfast_app, holdfast_admin;
