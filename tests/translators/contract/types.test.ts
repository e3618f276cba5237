import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { typesOf } from '@perennial/translators/contract/types.ts';
import { baseHistory, baseTranslator } from '../../fixtures/base.ts';

describe.each(baseHistory.releases)('the types of v$id', (release) => {
  it('are made from its document when they are needed, name every schema and operation, and are TypeScript', async () => {
    const document = openApiOf(baseTranslator(), release);
    const text = await typesOf(document);
    expect(() => stripTypeScriptTypes(text)).not.toThrow();
    for (const methods of Object.values(document.paths))
      for (const { operationId } of Object.values(methods)) expect(text).toContain(`'${operationId}': {`);
    for (const name of Object.keys(document.components.schemas))
      expect(text).toMatch(
        new RegExp(`\\b${name.replace(/[._-](.)/g, (_, letter: string) => letter.toUpperCase())}\\b`, 'i'),
      );
  });
});
