/**
 * Where a caller reaches what lies at core's root, as the gateway tells core for operations that answer addresses:
 * scheme, authority and what the caller wrote before the path. Core puts it in front of its paths and reads nothing in it.
 */
export const PUBLIC_BASE_HEADER = 'x-public-base';
