import { defineConfig } from 'prisma/config';

/** Where Prisma's own commands find the schema and the migrations. */
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  ...(process.env['DATABASE_URL'] === undefined ? {} : { datasource: { url: process.env['DATABASE_URL'] } }),
});
