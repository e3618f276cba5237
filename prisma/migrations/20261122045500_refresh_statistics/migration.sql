-- Only the owner of a table may look at what is in it for the planner, and those who write to it own nothing.
CREATE FUNCTION core.refresh_statistics(names text[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY names LOOP
    EXECUTE format('ANALYZE core.%I', name);
  END LOOP;
END
$$;
