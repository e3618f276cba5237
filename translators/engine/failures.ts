/** The catalogue of changes is refused at start. Lists every fault, each saying what to do. */
export class CatalogueInvalid extends Error {
  override readonly name = 'CatalogueInvalid';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the changes are refused:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** One edit does not fit the contract it is applied to. The catalogue adds which change and release it is of. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
}

/** Something that the older version does not have, so that it is not shown to it: not found, not listed, not sent. */
export class NotInVersion extends Error {
  override readonly name = 'NotInVersion';
}

/**
 * A translator failed on a body it should have handled. Never the client's fault; the body is not sent.
 * The cause stays out of what clients see: it may contain patient data.
 */
export class TranslationFailed extends Error {
  override readonly name = 'TranslationFailed';
  /** `release/change`, or undefined when the structure itself was not what the contract says. */
  readonly change: string | undefined;

  constructor(change: string | undefined, cause: unknown) {
    super(change === undefined ? 'a body is not what its contract says' : `the change ${change} failed`, { cause });
    this.change = change;
  }
}

/** A body is something that the version does not have: asked for by itself, it is not found. */
export class NotShown extends TranslationFailed {}
