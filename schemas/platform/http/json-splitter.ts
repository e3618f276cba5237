import { Fault } from './fault.ts';

/** Largest value of a member beside the list, in bytes. */
const MEMBER_BYTES_MAX = 1_024;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** A byte order mark, which RFC 8259 lets a reader overlook. */
const BOM = [0xef, 0xbb, 0xbf];

type State =
  | 'start'
  /** After `{` or a comma: the name of a member, or the end. */
  | 'name'
  | 'colon'
  | 'value'
  /** After the list or a value: a comma, or the end. */
  | 'next'
  /** After `[` or a comma in the list: an element, or the end. */
  | 'element'
  | 'end';

/**
 * Cuts a JSON object that holds one long list into the elements of the list and its other members, as its bytes
 * arrive: what is held is one element. Only the brackets are looked at; each piece is still to be parsed.
 */
export class JsonSplitter {
  readonly #list: string;
  readonly #elementBytesMax: number;
  #state: State = 'start';
  #bom = 0;
  /** The piece under way: a name, a value or an element. */
  #piece: Buffer[] | undefined;
  #pieceBytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #name = '';
  #seenList = false;
  #afterComma = false;
  readonly #members = new Map<string, Buffer>();

  /** @param list name of the member that holds the list. */
  constructor(list: string, elementBytesMax: number) {
    this.#list = list;
    this.#elementBytesMax = elementBytesMax;
  }

  /**
   * The members beside the list, in their bytes, and what stood in its place if that was no list. Whole once `finish`
   * has been called.
   */
  get members(): ReadonlyMap<string, Buffer> {
    return this.#members;
  }

  /** The elements that are complete with this chunk. @throws Fault body_malformed, body_too_large */
  *push(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#piece) {
        if (this.#continues(byte)) continue;
        const piece = this.#take(chunk.subarray(start, at));
        // The byte that ends a piece belongs to what is around it, but for the quote that ends a name.
        if (this.#state === 'name') this.#endName(piece);
        else if (this.#state === 'element') {
          yield piece;
          this.#endElement(byte);
        } else this.#endValue(piece, byte);
        continue;
      }
      if (SPACES.has(byte)) continue;
      if (this.#state === 'start' && byte === BOM[this.#bom]) this.#bom += 1;
      else if (this.#begins(byte)) start = this.#state === 'name' ? at + 1 : at;
    }
    if (this.#piece) this.#hold(chunk.subarray(start));
  }

  /** @throws Fault body_malformed when the object has not ended. */
  finish(): void {
    if (this.#state !== 'end') throw malformed();
  }

  /** Whether the object had the list at all. */
  get hasList(): boolean {
    return this.#seenList;
  }

  /** What a byte outside of any piece means. @returns whether a piece begins with it. */
  #begins(byte: number): boolean {
    switch (this.#state) {
      case 'start':
        this.#expect(byte, OPEN_BRACE);
        this.#state = 'name';
        return false;
      case 'name':
        if (byte === CLOSE_BRACE && !this.#afterComma) this.#state = 'end';
        else {
          this.#expect(byte, QUOTE);
          this.#open(0);
          this.#inString = true;
          return true;
        }
        return false;
      case 'colon':
        this.#expect(byte, COLON);
        this.#state = 'value';
        return false;
      case 'value':
        if (this.#name === this.#list && byte === OPEN_BRACKET) {
          if (this.#seenList) throw malformed();
          this.#seenList = true;
          this.#state = 'element';
          this.#afterComma = false;
          return false;
        }
        return this.#openValue(byte);
      case 'element':
        if (byte === CLOSE_BRACKET && !this.#afterComma) {
          this.#state = 'next';
          return false;
        }
        return this.#openValue(byte);
      case 'next':
        this.#endMember(byte);
        return false;
      case 'end':
        throw malformed();
    }
  }

  #openValue(byte: number): boolean {
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) throw malformed();
    this.#open(byte === OPEN_BRACE || byte === OPEN_BRACKET ? 1 : 0);
    this.#inString = byte === QUOTE;
    return true;
  }

  #open(depth: number): void {
    this.#piece = [];
    this.#pieceBytes = 0;
    this.#depth = depth;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Whether a byte still belongs to the piece under way. */
  #continues(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        if (this.#state === 'name') return false;
      }
      return true;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#depth === 0) return false;
      this.#depth -= 1;
    } else if (byte === COMMA && this.#depth === 0) return false;
    return true;
  }

  #hold(bytes: Buffer): void {
    this.#pieceBytes += bytes.length;
    const bytesMax = this.#state === 'element' ? this.#elementBytesMax : MEMBER_BYTES_MAX;
    if (this.#pieceBytes > bytesMax) {
      if (this.#state === 'element') throw elementTooLarge(bytesMax);
      throw malformed();
    }
    this.#piece?.push(bytes);
  }

  #take(last: Buffer): Buffer {
    this.#hold(last);
    const pieces = this.#piece as Buffer[];
    this.#piece = undefined;
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, this.#pieceBytes);
  }

  #endName(piece: Buffer): void {
    try {
      this.#name = JSON.parse(`"${piece.toString('utf8')}"`) as string;
    } catch {
      throw malformed();
    }
    this.#state = 'colon';
  }

  #endElement(byte: number): void {
    if (byte === CLOSE_BRACKET) this.#state = 'next';
    else if (byte === COMMA) this.#afterComma = true;
    else throw malformed();
  }

  #endValue(piece: Buffer, byte: number): void {
    if (this.#members.has(this.#name)) throw malformed();
    this.#members.set(this.#name, piece);
    this.#endMember(byte);
  }

  #endMember(byte: number): void {
    this.#afterComma = byte === COMMA;
    if (byte === COMMA) this.#state = 'name';
    else if (byte === CLOSE_BRACE) this.#state = 'end';
    else throw malformed();
  }

  #expect(byte: number, wanted: number): void {
    if (byte !== wanted) throw malformed();
  }
}

function malformed(): Fault {
  return new Fault('body_malformed');
}

/** 413 for one element. */
export function elementTooLarge(bytesMax: number): Fault {
  return new Fault('body_too_large', { message: `One entry of the body may have ${bytesMax} bytes at most.` });
}
