import { checkInstallation } from '@perennial/prisma/installation.ts';
import type { AuditKeys } from './keys.ts';

/**
 * Refuses keys of the audit trail among which the one is missing that was last in use: what they would write does not
 * verify with the rest.
 * @throws InstallationMismatch; and what the database says.
 */
export function checkAuditKeys(databaseUrl: string, keys: AuditKeys): Promise<void> {
  return checkInstallation(databaseUrl, 'edge', [
    {
      name: 'audit_key',
      value: keys.current.id,
      earlier: keys.ids.filter((id) => id !== keys.current.id),
      refusal:
        'AUDIT_KEY does not hold the key that the audit trail of this database is written with. Give every gateway the same AUDIT_KEY, or a copy of the file audit.key in DATA_DIR; a new key goes before the old one, with a comma between.',
    },
  ]);
}
