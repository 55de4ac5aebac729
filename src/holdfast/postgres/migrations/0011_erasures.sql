-- How often something of a tenant was removed for good. Servers compare it with what they knew when they last cleared
-- what they have on disk of the tenant: words that are gone here must not stay in their indexes.
CREATE TABLE holdfast.erasure (
  tenant text PRIMARY KEY REFERENCES holdfast.tenant (id),
  n      bigint NOT NULL
);
ALTER TABLE holdfast.erasure ENABLE ROW LEVEL SECURITY;
ALTER TABLE holdfast.erasure FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON holdfast.erasure TO holdfast_app USING (tenant = current_setting('holdfast.tenant', true));
CREATE POLICY all_rows ON holdfast.erasure TO holdfast_admin USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.erasure TO holdfast_app, holdfast_admin;

-- The triggers of 0010 call this: what drops the snapshots also counts.
CREATE OR REPLACE FUNCTION holdfast.drop_snapshots() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  DELETE FROM holdfast.snapshot WHERE tenant IN (SELECT tenant FROM gone);
  INSERT INTO holdfast.erasure AS e (tenant, n) SELECT DISTINCT tenant, 1 FROM gone
    ON CONFLICT (tenant) DO UPDATE SET n = e.n + 1;
  RETURN NULL;
END $$;
