import sharp, { type Sharp } from 'sharp';
import { ImageFault, imageLimits } from './image-fault.ts';
import type { Region } from './worker/tasks.ts';

/** Pixels as they are shown: 8 bits, one channel or three, row-major. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

/** A PNG or JPEG, decoded. */
export interface PlainImage {
  readonly width: number;
  readonly height: number;
  /** Of one channel, as stored. */
  readonly bits: 8 | 16;
  readonly channels: 1 | 3;
  /** Interleaved samples. */
  readonly samples: Uint8Array | Uint16Array;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const TIMEOUT_SECONDS = 20;

// The library reads many formats; the two that are served are the only ones that bytes from outside may reach.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.cache(false);
sharp.concurrency(1);

/** Which of the two formats the bytes begin as. */
export function plainFormatOf(bytes: Uint8Array): 'png' | 'jpeg' | undefined {
  if (PNG.every((byte, at) => bytes[at] === byte)) return 'png';
  return JPEG.every((byte, at) => bytes[at] === byte) ? 'jpeg' : undefined;
}

/**
 * Decodes a PNG or a JPEG, upright as its EXIF orientation says. Transparent pixels are shown on black.
 * @throws ImageFault `too_large` by what its header claims, before anything is decoded; `unreadable`
 */
export async function readPlainImage(bytes: Uint8Array): Promise<PlainImage> {
  const open = (): Sharp =>
    sharp(bytes, { limitInputPixels: imageLimits.framePixelsMax, failOn: 'error', animated: false });
  try {
    const { width, height, depth, channels, space } = await open().metadata();
    if (width * height > imageLimits.framePixelsMax) throw tooLarge();
    const isDeep = depth === 'ushort';
    const isGray = space === 'b-w' || space === 'grey16' || channels <= 2;
    if (width * height * (isGray ? 1 : 3) * (isDeep ? 2 : 1) > imageLimits.frameBytesMax) throw tooLarge();
    const decoded = await open()
      .autoOrient()
      .flatten({ background: '#000000' })
      .toColourspace(isGray ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb')
      .timeout({ seconds: TIMEOUT_SECONDS })
      .raw({ depth: isDeep ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { info, data } = decoded;
    if (info.channels !== 1 && info.channels !== 3) throw new Error(`${info.channels} channels`);
    const samples = isDeep ? new Uint16Array(copyOf(data)) : new Uint8Array(copyOf(data));
    return { width: info.width, height: info.height, bits: isDeep ? 16 : 8, channels: info.channels, samples };
  } catch (error) {
    if (error instanceof ImageFault) throw error;
    // The library says it in words only.
    if (error instanceof Error && /exceeds pixel limit/i.test(error.message)) throw tooLarge();
    throw new ImageFault('unreadable', 'The image is damaged: it cannot be decoded to its end.', { cause: error });
  }
}

/** An encoding that every browser shows. @param quality of a JPEG, from 1 to 100. */
export async function encodeRaster(raster: Raster, format: 'png' | 'jpeg', quality = 90): Promise<Uint8Array> {
  const image = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: raster.channels } });
  const isGray = raster.channels === 1;
  const colored = isGray ? image.toColourspace('b-w') : image;
  return format === 'png'
    ? colored.png({ compressionLevel: 6, palette: false }).toBuffer()
    : colored.jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
}

/** The same picture in another size. */
export async function resizeRaster(raster: Raster, width: number, height: number): Promise<Raster> {
  if (width === raster.width && height === raster.height) return raster;
  const { width: from, height: tall, channels } = raster;
  const { data, info } = await sharp(raster.data, { raw: { width: from, height: tall, channels } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as 1 | 3,
    data: new Uint8Array(copyOf(data)),
  };
}

/** A part of a picture, mirrored where that is wanted. @param region lies within it. */
export function cropRaster({ width, channels, data }: Raster, region: Region): Raster {
  const out = new Uint8Array(region.width * region.height * channels);
  for (let y = 0; y < region.height; y += 1) {
    const fromY = region.y + (region.isUpsideDown ? region.height - 1 - y : y);
    for (let x = 0; x < region.width; x += 1) {
      const fromX = region.x + (region.isMirrored ? region.width - 1 - x : x);
      for (let channel = 0; channel < channels; channel += 1) {
        out[(y * region.width + x) * channels + channel] = data[(fromY * width + fromX) * channels + channel] as number;
      }
    }
  }
  return { width: region.width, height: region.height, channels, data: out };
}

/** A buffer may lie in the middle of a pool, at an odd place. */
function copyOf(data: Buffer): ArrayBuffer {
  if (data.byteOffset === 0 && data.byteLength === data.buffer.byteLength) return data.buffer as ArrayBuffer;
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
}

function tooLarge(): ImageFault {
  return new ImageFault('too_large', 'The image has more pixels than this service takes.');
}
