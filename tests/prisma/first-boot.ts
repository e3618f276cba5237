import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { seedDemo } from '@perennial/prisma/seed.ts';
import { startDatabase } from '@perennial/prisma/server.ts';

/*
 * What `npm start` does with the database, in a process of its own that server.test.ts kills. It says where it is, and
 * stops when it is told anything.
 */

const [dataDir = ''] = process.argv.slice(2);
const server = await startDatabase({ dataDir, durable: false });
process.send?.({ stage: 'listening', url: server.url });
await migrate(server.url);
process.send?.({ stage: 'migrated', url: server.url });
const db = createDatabase(server.url);
await seedDemo(db, { dataDir, gatewayUrl: 'http://127.0.0.1:8080' });
process.send?.({ stage: 'seeded', url: server.url, patients: await db.patient.count() });
await db.$disconnect();

process.on('message', () => {
  void server.stop().then(() => process.disconnect());
});
