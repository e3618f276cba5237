-- Gateways remember keys. Whoever changes one says so here, in the transaction of the change, and they forget it.
CREATE FUNCTION edge.announce_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM pg_notify('perennial_keys', OLD.hash);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM pg_notify('perennial_keys', NEW.hash);
  END IF;
  RETURN NULL;
END
$$;

-- Not when it was last used: that changes nothing that is remembered.
CREATE TRIGGER announce_key
  AFTER INSERT OR DELETE OR UPDATE OF hash, account_id, format, scopes, expires_at, revoked_at ON edge.api_keys
  FOR EACH ROW EXECUTE FUNCTION edge.announce_key();

CREATE FUNCTION edge.announce_all_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perennial_keys', '*');
  RETURN NULL;
END
$$;

-- A pin concerns every key of the account; there are few changes of it, and asking anew for all keys costs little.
CREATE TRIGGER announce_account
  AFTER UPDATE OF pinned_release ON edge.accounts
  FOR EACH STATEMENT EXECUTE FUNCTION edge.announce_all_keys();

CREATE TRIGGER announce_all_keys
  AFTER TRUNCATE ON edge.api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION edge.announce_all_keys();
