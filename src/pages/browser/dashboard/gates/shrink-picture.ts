/** Makes a picture small enough for a checkout. Drawing it anew also drops what a camera wrote into the file. */
import { mostPictureBytes } from '../../../../gates/appearance/picture.ts'

/** The longer side, in pixels: twice the width at which a checkout shows it. */
const longestSide = 1024
const qualities = [0.92, 0.8, 0.6, 0.4]

/** Base64 of a WebP, or of a PNG where the browser writes no WebP. Undefined for a file that is no picture. */
export async function shrinkPicture(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  for (const quality of qualities) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', quality))
    if (blob && blob.size <= mostPictureBytes) return encodeBase64(new Uint8Array(await blob.arrayBuffer()))
  }
  return undefined
}

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
