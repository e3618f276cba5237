import type { RelationshipType } from '@perennial/schemas/resources/knowledge-graph.ts';

/** The types of relationships that are asked for. */
export function typesOf({ query }: { readonly query: { readonly types?: string } }): RelationshipType[] | undefined {
  return query.types?.split(',') as RelationshipType[] | undefined;
}
