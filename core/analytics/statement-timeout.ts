/** SQLSTATE query_canceled: what `statement_timeout` ends a query with. */
const QUERY_CANCELED = '57014';
const DEPTH_MAX = 6;

/** Whether an exception says that a query ran longer than it may. */
export function isStatementTimeout(error: unknown, depth: number = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return false;
  const fields = error as Readonly<Record<string, unknown>>;
  if ([fields['code'], fields['originalCode'], fields['errorCode']].includes(QUERY_CANCELED)) return true;
  return [fields['cause'], fields['meta'], fields['driverAdapterError']].some((each) =>
    isStatementTimeout(each, depth + 1),
  );
}
