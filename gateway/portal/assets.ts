import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, stop } from 'esbuild';

/** A file that pages refer to. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed once; undefined for what is compressed already. */
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** What pages refer to, by the name that has the hash of the content in it and so never changes. */
export interface Assets {
  /** The address of a file, such as `portal.css`. */
  url(name: string): string;
  find(hashedName: string): Asset | undefined;
}

export const ASSETS_PATH = '/portal/assets/';

/** What runs in the browser, one file for each page that needs more than all of them do. */
const SCRIPTS = ['portal', 'translation', 'reference'] as const;
const FONTS = [
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
];
const VIEWER = 'redoc/bundles/redoc.standalone.js';
const VIEWER_PICTURE = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const BROTLI_QUALITY = 6;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/**
 * Bundles scripts and styles in memory, when the first page is asked for: a start waits for nothing, and nothing built
 * lies in the repository.
 */
export function createAssets(): () => Promise<Assets> {
  let made: Promise<Assets> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function make(): Promise<Assets> {
  const { resolve } = createRequire(import.meta.url);
  const files = new Map<string, Buffer>();
  for (const font of FONTS) files.set(basename(font), await readFile(resolve(font)));
  files.set('icon.svg', await readFile(join(import.meta.dirname, 'icon.svg')));
  const assets = new Map<string, Asset>();
  const urls = new Map<string, string>();
  const add = async (name: string, bytes: Buffer): Promise<void> => {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    const extension = extname(name);
    const hashed = `${basename(name, extension)}-${hash}${extension}`;
    const type = TYPES[extension] ?? 'application/octet-stream';
    const isText = extension !== '.woff2';
    assets.set(hashed, {
      type,
      bytes,
      br: isText ? await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }) : undefined,
      gzip: isText ? await deflate(bytes) : undefined,
    });
    urls.set(name, `${ASSETS_PATH}${hashed}`);
  };
  for (const [name, bytes] of files) await add(name, bytes);
  // It would ask its maker's server for a picture; it gets ours.
  const viewer = await readFile(resolve(VIEWER), 'utf8');
  await add('redoc.js', Buffer.from(viewer.replaceAll(VIEWER_PICTURE, urls.get('icon.svg') as string)));
  try {
    const { outputFiles } = await build({
      entryPoints: [
        ...SCRIPTS.map((name) => join(import.meta.dirname, 'browser', `${name}.ts`)),
        join(import.meta.dirname, 'style.css'),
      ],
      // Fonts are named in the styles by what they are called in their packages.
      external: ['*.woff2'],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      outdir: '/',
      logLevel: 'silent',
      legalComments: 'none',
    });
    for (const { path, text } of outputFiles) {
      const fonts = [...urls].filter(([name]) => name.endsWith('.woff2'));
      const linked = fonts.reduce((style, [name, url]) => style.replaceAll(name, url), text);
      await add(basename(path), Buffer.from(basename(path) === 'style.css' ? linked : text));
    }
  } finally {
    // Its process would stay for as long as this one.
    await stop();
  }
  return {
    url(name) {
      const url = urls.get(name);
      if (url === undefined) throw new Error(`the portal has no ${name}`);
      return url;
    },
    find: (name) => assets.get(name),
  };
}
