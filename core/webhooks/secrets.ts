import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import { Webhook } from 'standardwebhooks';

/** Signing secrets of subscriptions: shown once, kept encrypted, and used here alone. */
export class SubscriptionSecrets {
  readonly #key: Buffer;

  /** @param master the installation's secret (`SECRETS_KEY`); another one cannot read what this one wrote. */
  constructor(master: string) {
    this.#key = Buffer.from(hkdfSync('sha256', master, '', 'perennial webhook secrets', KEY_BYTES));
  }

  /** A new secret in the form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
  create(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  /** Encrypts with AES-256-GCM; the text can be read for this subscription only. */
  encrypt(subscriptionId: SubscriptionId, secret: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(subscriptionId));
    const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${sealed.toString('base64')}`;
  }

  /** The header `webhook-signature`: one signature for each secret, separated by spaces. */
  sign(subscriptionId: SubscriptionId, encrypted: readonly string[], message: SignedMessage): string {
    return encrypted
      .map((each) => new Webhook(this.#decrypt(subscriptionId, each)).sign(message.id, message.at, message.body))
      .join(' ');
  }

  #decrypt(subscriptionId: SubscriptionId, text: string): string {
    const sealed = Buffer.from(text.slice('v1.'.length), 'base64');
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(subscriptionId)).setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, end)), decipher.final()]).toString('utf8');
  }
}

/** What is signed. */
export interface SignedMessage {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

const KEY_BYTES = 32;
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
