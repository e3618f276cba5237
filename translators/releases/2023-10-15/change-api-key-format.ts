import { change } from '../../engine/change.ts';

export const changeApiKeyFormat = change({
  id: 'change-api-key-format',
  sentence:
    'API keys have the form `hai_<live|test>_…` with a checksum, so that a leaked or mistyped key is recognised; keys that begin with `sk_` are refused.',
  behaviours: { 'credential.formats': ['current', 'legacy'] },
});
