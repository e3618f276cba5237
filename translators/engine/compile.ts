import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { eachRef, isNullable, isObject } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from './catalogue.ts';
import { inGeneral } from './detail.ts';
import type { Contexts } from './evaluate.ts';
import type { Call, Converter, Expression } from './expression.ts';
import { NotInVersion, NotShown, TranslationFailed } from './failures.ts';
import { fieldNames } from './field-names.ts';
import { fieldValues } from './field-values.ts';
import type { Path } from './path.ts';
import { compilePointers, type PointerMap } from './pointers.ts';
import { editedResource, fuse, narrowed, type Run, schemaAt, schemaTouched, shared, touches } from './run.ts';
import type { Step } from './step.ts';
import { expressionOf, identityTree, type Node, nodeAt, schemaOf } from './tree.ts';
import { holdsValues, mayHide, valueConversion } from './values.ts';

/**
 * Compilation of a run to one JavaScript function per resource, reached from one reference. The functions are source
 * text: object literals with the members in their order, so that the engine's shapes stay monomorphic and a chain of
 * renames costs one property read. Names enter the text only as JSON strings.
 */

/** Translates one whole body. The input is not mutated; untouched parts are shared with it. */
export type Translate = (body: unknown, contexts?: Contexts) => unknown;

/** Which way. */
export type Direction = 'down' | 'up';

/** Compiles the translation of what `ref` means across a run. */
export function compile(catalogue: Catalogue, run: Run, ref: string, direction: Direction): Translate {
  const part = narrowed(catalogue, run, ref);
  return translations(catalogue, `${part.older} ${part.newer} ${direction} ${ref}`, () =>
    new Compiler(catalogue, part, direction).compile(ref),
  );
}

const translations = shared<Translate>();

/** Compiles the translation of a value of any schema of the run's source side; the identity where nothing is touched. */
export function compileValue(
  catalogue: Catalogue,
  run: Run,
  schema: JsonSchema,
  direction: Direction,
): (value: unknown) => unknown {
  return new Compiler(catalogue, run, direction).compileValue(schema);
}

class Compiler {
  readonly #catalogue: Catalogue;
  readonly #run: Run;
  readonly #direction: Direction;
  readonly #functions = new Map<string, { readonly name: string; code: string }>();
  readonly #converters: Converter[] = [];
  readonly #constants: unknown[] = [];
  readonly #changes: string[] = [];
  #count = 0;

  constructor(catalogue: Catalogue, run: Run, direction: Direction) {
    this.#catalogue = catalogue;
    this.#run = run;
    this.#direction = direction;
  }

  compile(ref: string): Translate {
    return this.#make(`${this.#functionOf(ref)}(body, x)`);
  }

  compileValue(schema: JsonSchema): Translate {
    const code = this.walkCode(schema, 'body');
    return code === undefined ? (value) => value : this.#make(code);
  }

  #make(entry: string): Translate {
    const text = [
      '"use strict";',
      ...[...this.#functions.values()].map(({ code }) => code),
      // What is running is kept as a number, so that a converter that throws can be named at no cost.
      `return (body, x) => { at.step = -1; return ${entry}; };`,
    ].join('\n');
    const at = { step: -1 };
    const make = new Function('converters', 'constants', 'at', 'mismatch', 'keepFrom', text) as (
      converters: readonly Converter[],
      constants: readonly unknown[],
      at: { step: number },
      mismatch: () => never,
      keepFrom: (error: unknown) => void,
    ) => Translate;
    const translate = make(this.#converters, this.#constants, at, mismatch, keepFrom);
    const changes = this.#changes;
    return (body, contexts) => {
      try {
        return translate(body, contexts);
      } catch (error) {
        if (error instanceof NotInVersion) throw new NotShown(changes[at.step], error);
        throw error instanceof TranslationFailed ? error : new TranslationFailed(changes[at.step], error);
      }
    };
  }

  /** The name of the function that translates what `ref` means. */
  #functionOf(ref: string): string {
    const known = this.#functions.get(ref);
    if (known) return known.name;
    const name = `translate${this.#functions.size}`;
    const entry = { name, code: '' };
    this.#functions.set(ref, entry);
    entry.code = this.#functionCode(name, ref);
    return name;
  }

  #functionCode(name: string, ref: string): string {
    const sourceLevel = this.#direction === 'down' ? this.#run.newer : this.#run.older;
    const { variant, resource } = parseRef(ref);
    // Variants differ from their resource in what is required, not in where members go.
    const sourceRef = variant === 'page' || variant === undefined ? ref : resource;
    const source = schemaAt(this.#catalogue, sourceLevel, sourceRef);
    const fused = fuse(this.#catalogue, this.#run, editedResource(ref));
    const tree = this.#direction === 'down' ? fused.down : fused.up;
    const body = new Body(this, identityTree(source));
    if (source.properties === undefined) {
      if (this.#direction === 'up' || tree.kind === 'branch' || tree.from.op === 'get')
        return `function ${name}(v, x) { return ${this.walkCode(source, 'v') ?? 'v'}; }`;
      // A union whose alternatives are not all there in the older version.
      const made = body.expression(tree.from);
      return [`function ${name}(s, x) {`, ...body.statements.map((line) => `  ${line}`), `  return ${made};`, '}'].join(
        '\n',
      );
    }
    const literal = body.node(variant === undefined || variant === 'page' ? tree : writableOnly(tree));
    return [
      `function ${name}(s, x) {`,
      '  if (typeof s !== "object" || s === null || Array.isArray(s)) mismatch();',
      ...body.statements.map((line) => `  ${line}`),
      `  return ${literal};`,
      '}',
    ].join('\n');
  }

  /** Code that translates the value of `schema` held in the variable, or undefined where nothing below is touched. */
  walkCode(schema: JsonSchema, value: string): string | undefined {
    // What a client writes to a read-only member is ignored, so nothing says that it has the shape it is answered in.
    if (this.#direction === 'up' && schema.readOnly) return undefined;
    if (!schemaTouched(this.#catalogue, this.#run, schema)) return undefined;
    const name = this.#walker(schema);
    return `${name}(${value}, x)`;
  }

  #walker(schema: JsonSchema): string {
    if (schema.$ref !== undefined) {
      const target = this.#functionOf(schema.$ref);
      return this.#helper((name) => `function ${name}(v, x) { return v == null ? v : ${target}(v, x); }`);
    }
    const convert = valueConversion(this.#catalogue, this.#run, schema, this.#direction);
    if (convert) {
      this.#changes.push((this.#catalogue.steps[this.#run.older] as Step).name);
      const code = `at.step = ${this.#changes.length - 1}; const r = ${this.constant(convert)}(v); at.step = -1; return r;`;
      return this.#helper((name) => `function ${name}(v, x) { ${code} }`);
    }
    if (schema['x-field-of'] !== undefined) {
      const names = this.#fieldNames(schema['x-field-of']);
      return this.#helper(
        (name) =>
          `function ${name}(v, x) { const n = typeof v === "string" ? ${names}.get(v) : undefined; return n === undefined ? v : n.name; }`,
      );
    }
    if (schema.items?.['x-field-of'] !== undefined) {
      const names = this.#fieldNames(schema.items['x-field-of']);
      // A field that the other version cannot see is not named to it.
      return this.#helper(
        (name) => `function ${name}(v, x) {
  if (!Array.isArray(v)) return v;
  const out = [];
  for (const e of v) { const n = ${names}.get(e); if (n === undefined) out.push(e); else if (n.isSeen) out.push(n.name); }
  return out;
}`,
      );
    }
    if (schema.items) {
      const item = this.#walker(schema.items);
      // What the older version does not have is left out of the list that holds it.
      if (this.#direction === 'down' && this.#mayHide(schema.items))
        return this.#helper(
          (name) => `function ${name}(v, x) {
  if (v == null) return v;
  if (!Array.isArray(v)) mismatch();
  const out = [];
  for (let i = 0; i < v.length; i++) { try { out.push(${item}(v[i], x)); } catch (e) { keepFrom(e); at.step = -1; } }
  return out;
}`,
        );
      return this.#helper(
        (name) => `function ${name}(v, x) {
  if (v == null) return v;
  if (!Array.isArray(v)) mismatch();
  const n = v.length, out = new Array(n);
  for (let i = 0; i < n; i++) out[i] = ${item}(v[i], x);
  return out;
}`,
      );
    }
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return this.#unionWalker(schema, alternatives);
    if (schema.properties) {
      const members = Object.entries(schema.properties).flatMap(([name, member]) => {
        const read = (each: string): string => `v[${JSON.stringify(each)}]`;
        const pointed = this.pointersCode(member, read(name), read);
        const placed = this.valueCode(member, schema, pointed, read);
        const code = this.walkCode(member, placed) ?? (placed === pointed ? undefined : placed);
        return code === undefined ? [] : [`${JSON.stringify(name)}: ${code}`];
      });
      return this.#helper(
        (name) => `function ${name}(v, x) { return v == null ? v : { ...v, ${members.join(', ')} }; }`,
      );
    }
    if (typeof schema.additionalProperties === 'object') {
      const each = this.#walker(schema.additionalProperties);
      // fromEntries defines members, so a key such as __proto__ stays data.
      return this.#helper(
        (name) => `function ${name}(v, x) {
  if (v == null) return v;
  if (typeof v !== "object") mismatch();
  return Object.fromEntries(Object.entries(v).map(([k, e]) => [k, ${each}(e, x)]));
}`,
      );
    }
    throw new Error('a schema that leads to a touched resource has a form the engine does not enter');
  }

  #mayHide(schema: JsonSchema): boolean {
    let hides = holdsValues(this.#catalogue, this.#run, schema);
    eachRef(schema, (ref) => {
      hides ||= ref !== '#item' && mayHide(this.#catalogue, this.#run, ref);
    });
    return hides;
  }

  #unionWalker(schema: JsonSchema, alternatives: readonly JsonSchema[]): string {
    const present = alternatives.filter((each) => !(isNullable(each) && each.$ref === undefined && !each.properties));
    const [only] = present;
    if (present.length === 1 && only) {
      const inner = this.#walker(only);
      return this.#helper((name) => `function ${name}(v, x) { return v == null ? v : ${inner}(v, x); }`);
    }
    const discriminator = schema.discriminator;
    if (!discriminator?.mapping)
      throw new Error('a union that leads to a touched resource needs a discriminator with a mapping');
    const cases = Object.entries(discriminator.mapping).flatMap(([word, ref]) => {
      const code = this.walkCode({ $ref: ref }, 'v');
      return code === undefined ? [] : [`    case ${JSON.stringify(word)}: return ${code};`];
    });
    return this.#helper(
      (name) => `function ${name}(v, x) {
  if (v == null) return v;
  switch (v[${JSON.stringify(discriminator.propertyName)}]) {
${cases.join('\n')}
    default: return v;
  }
}`,
    );
  }

  /** Code that rewrites the pointers of an error (`x-pointers`), where they lead into something that is touched. */
  pointersCode(schema: JsonSchema, value: string, beside: (member: string) => string): string {
    const pointers = schema['x-pointers'];
    if (!pointers || this.#direction === 'up' || !touches(this.#catalogue, this.#run, pointers.into)) return value;
    const { into, asSent } = pointers;
    const map = compilePointers(this.#catalogue, this.#run, into);
    const rewrite = this.constant((error: unknown): unknown => olderPointers(map, error));
    return `(${beside(asSent.member)} === ${JSON.stringify(asSent.value)} ? ${value} : ${rewrite}(${value}))`;
  }

  /** Code that translates a value of the field that a member beside it names (`x-value-of`). */
  valueCode(
    schema: JsonSchema,
    owner: JsonSchema | undefined,
    value: string,
    beside: (member: string) => string,
  ): string {
    const name = schema['x-value-of'];
    const resource = name === undefined ? undefined : owner?.properties?.[name]?.['x-field-of'];
    if (name === undefined || resource === undefined) return value;
    const convert = fieldValues(this.#catalogue, this.#run, resource, this.#direction);
    return convert === undefined ? value : `${this.constant(convert)}(${beside(name)}, ${value})`;
  }

  /** The constant that holds the differing names of a resource's fields. */
  #fieldNames(resource: string): string {
    return this.constant(fieldNames(this.#catalogue, this.#run, resource, this.#direction));
  }

  #helper(code: (name: string) => string): string {
    const name = `walk${this.#count++}`;
    this.#functions.set(`#${name}`, { name, code: code(name) });
    return name;
  }

  converter(call: Call): { readonly index: number; readonly step: number } {
    this.#converters.push(call.convert);
    this.#changes.push(call.change);
    return { index: this.#converters.length - 1, step: this.#changes.length - 1 };
  }

  constant(value: unknown): string {
    this.#constants.push(value);
    return `constants[${this.#constants.length - 1}]`;
  }
}

/** The statements and the literal of one function. */
class Body {
  readonly statements: string[] = [];
  readonly #compiler: Compiler;
  readonly #source: Node;
  readonly #calls = new Map<Call, string>();
  #locals = 0;

  constructor(compiler: Compiler, source: Node) {
    this.#compiler = compiler;
    this.#source = source;
  }

  node(node: Node): string {
    const expression = node.kind === 'branch' ? expressionOf(node) : node.from;
    if (node.kind === 'leaf' || expression.op !== 'object') return this.expression(expression);
    const members = [...node.members]
      .filter(([, member]) => member.kind === 'branch' || member.from.op !== 'absent')
      .map(([name, member]) => `${JSON.stringify(name)}: ${this.node(member)}`);
    return this.#guarded(node.origin, `{ ${members.join(', ')} }`);
  }

  expression(expression: Expression): string {
    switch (expression.op) {
      case 'get':
        return this.#get(expression.path);
      case 'absent':
        return 'undefined';
      case 'output':
        return `${this.#call(expression.call)}[${expression.output}]`;
      case 'member':
        return `${this.expression(expression.of)}?.[${JSON.stringify(expression.name)}]`;
      case 'object':
        return this.#guarded(
          expression.origin,
          `{ ${expression.members.map(([name, member]) => `${JSON.stringify(name)}: ${this.expression(member)}`).join(', ')} }`,
        );
    }
  }

  #guarded(origin: Expression | undefined, literal: string): string {
    if (!origin || (origin.op === 'get' && origin.path.length === 0)) return literal;
    const local = this.#local(origin.op === 'get' ? readCode(origin.path) : this.expression(origin));
    return `${local} == null ? ${local} : ${literal}`;
  }

  #get(path: Path): string {
    const code = readCode(path);
    const node = nodeAt(this.#source, path);
    if (!node) return code;
    const schema = schemaOf(node);
    const beside = (member: string): string => readCode([...path.slice(0, -1), member]);
    const owner = nodeAt(this.#source, path.slice(0, -1));
    const pointed = this.#compiler.pointersCode(schema, code, beside);
    const placed = this.#compiler.valueCode(schema, owner && schemaOf(owner), pointed, beside);
    return this.#compiler.walkCode(schema, placed) ?? placed;
  }

  #call(call: Call): string {
    const known = this.#calls.get(call);
    if (known !== undefined) return known;
    const inputs = call.inputs.map((input) => this.expression(input)).join(', ');
    const { index, step } = this.#compiler.converter(call);
    const context = `x === undefined ? undefined : x[${JSON.stringify(call.contextKey)}]`;
    // Inputs first: what runs inside them names itself.
    const args = this.#local(`[${inputs}]`);
    const local = this.#local(`(at.step = ${step}, converters[${index}](${args}, undefined, ${context}))`);
    this.statements.push('at.step = -1;');
    this.#calls.set(call, local);
    return local;
  }

  #local(code: string): string {
    const name = `c${this.#locals++}`;
    this.statements.push(`const ${name} = ${code};`);
    return name;
  }
}

/** The error with its pointers in the older names; a fault of what the older version cannot see has no place there. */
function olderPointers(map: PointerMap, error: unknown): unknown {
  if (!isObject(error) || !Array.isArray(error['details'])) return error;
  const details = (error['details'] as readonly unknown[]).map((detail) => {
    if (!isObject(detail) || typeof detail['pointer'] !== 'string') return detail;
    const { pointer, ...rest } = detail;
    const older = map.down(pointer);
    return inGeneral(older === undefined ? rest : { ...rest, pointer: older });
  });
  return { ...error, details };
}

function readCode(path: Path): string {
  return path.reduce((code, name, index) => `${code}${index === 0 ? '' : '?.'}[${JSON.stringify(name)}]`, 's');
}

/** Read-only members that were computed cannot be sent back up: core ignores them anyway. */
function writableOnly(node: Node): Node {
  if (node.kind === 'leaf') return node;
  const members = [...node.members].flatMap(([name, member]): [string, Node][] => {
    if (member.kind === 'leaf' && member.schema.readOnly && member.from.op !== 'get') return [];
    return [[name, writableOnly(member)]];
  });
  return { ...node, members: new Map(members) };
}

/** Goes on where the error only says that the older version has no such thing. */
function keepFrom(error: unknown): void {
  if (!(error instanceof NotInVersion)) throw error;
}

function mismatch(): never {
  throw new TypeError('the body is not of the shape its contract promises');
}
