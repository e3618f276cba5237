/**
 * What differs between versions without being a shape. A change declares the older value; the gateway asks for the
 * value at a version by name and never compares versions itself.
 */
export interface Behaviours {
  /** Places an API key may be sent in. */
  readonly 'credential.places': readonly ('header' | 'query')[];
  /** Key formats that are admitted. */
  readonly 'credential.formats': readonly ('current' | 'legacy')[];
}

/** The behaviour at head. */
export const headBehaviours: Behaviours = {
  'credential.places': ['header'],
  'credential.formats': ['current'],
};
