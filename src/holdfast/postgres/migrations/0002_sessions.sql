-- Logs: their size gives each line its offset, and `identity` is another one after a log was begun anew.
CREATE TABLE holdfast.log (
  tenant   text NOT NULL REFERENCES holdfast.tenant (id),
  folder   text NOT NULL,
  name     text NOT NULL,
  identity bigint NOT NULL,
  size     bigint NOT NULL DEFAULT 0,
  changed  timestamptz NOT NULL,
  PRIMARY KEY (tenant, folder, name)
);

-- What sessions keep for themselves, which sessions there are, and which were forgotten.
CREATE TABLE holdfast.session_state (
  tenant    text NOT NULL REFERENCES holdfast.tenant (id),
  agent     text NOT NULL,
  session   text NOT NULL,
  namespace text NOT NULL,
  key       text NOT NULL,
  value     text NOT NULL,
  updated   double precision NOT NULL,
  PRIMARY KEY (tenant, agent, session, namespace, key)
);

CREATE TABLE holdfast.session (
  tenant   text NOT NULL REFERENCES holdfast.tenant (id),
  agent    text NOT NULL,
  session  text NOT NULL,
  kind     text NOT NULL,
  channel  text NOT NULL,
  created  double precision NOT NULL,
  last     double precision NOT NULL,
  PRIMARY KEY (tenant, agent, session)
);

CREATE TABLE holdfast.hidden_session (
  tenant    text NOT NULL REFERENCES holdfast.tenant (id),
  agent     text NOT NULL,
  digest    text NOT NULL,
  forgotten boolean NOT NULL,
  PRIMARY KEY (tenant, agent, digest)
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['log', 'session_state', 'session', 'hidden_session'] LOOP
    EXECUTE format('ALTER TABLE holdfast.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE holdfast.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON holdfast.%I TO holdfast_app '
                   'USING (tenant = current_setting(''holdfast.tenant'', true))', name);
    EXECUTE format('CREATE POLICY all_rows ON holdfast.%I TO holdfast_admin USING (true)', name);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.log, holdfast.session_state, holdfast.session,
  holdfast.hidden_session TO holdfast_app, holdfast_admin;
