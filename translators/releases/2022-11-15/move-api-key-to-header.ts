import { change } from '../../engine/change.ts';

export const moveApiKeyToHeader = change({
  id: 'move-api-key-to-header',
  sentence:
    'The API key is sent in the header `Authorization: Bearer <API_KEY>` instead of the query parameter `api_key`, because addresses are written to logs and histories where a key must not be.',
  behaviours: { 'credential.places': ['header', 'query'] },
});
