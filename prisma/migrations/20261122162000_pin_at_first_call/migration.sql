-- An account gets its pin at its first call. The gateway makes no accounts and changes none: this is all that it may write
-- of one, and only where nothing has been written yet.
CREATE FUNCTION edge.pin_at_first_call(account text, release text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  UPDATE edge.accounts SET pinned_release = release WHERE id = account AND pinned_release IS NULL;
$$;
REVOKE ALL ON FUNCTION edge.pin_at_first_call(text, text) FROM PUBLIC;
