export * from './client.ts';
export * from './errors.ts';
export type { StreamEvent } from './streams.ts';
export { type OperationEntry, operations, type Versions } from './versions.ts';
export * from './webhooks.ts';
