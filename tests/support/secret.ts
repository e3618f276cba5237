/** The secret that test cores and test gateways share. */
export const TEST_SECRET = 'a test secret of more than thirty-two characters';
