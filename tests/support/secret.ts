/** The secret that test cores and test gateways share. */
export const TEST_SECRET = 'a test secret of more than thirty-two characters';

/** What test gateways make entries of the audit trail with. */
export const TEST_AUDIT_KEY = 'the-audit-key-of-tests-and-of-nothing-else';
