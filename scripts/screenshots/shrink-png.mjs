// Shrinks a screenshot to 256 colours. Reads only the PNGs that Chromium writes (8 bits per channel, not interlaced). An
// image library would need a compiler or a binary.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const COLOURS = 256

export function shrinkPng(png) {
  const image = decode(png)
  const { palette, indexOf } = choosePalette(image.pixels)
  const rows = Buffer.alloc(image.height * (image.width + 1))
  for (let y = 0, at = 0; y < image.height; y++) {
    rows[at++] = 0
    for (let x = 0; x < image.width; x++) rows[at++] = indexOf(image.pixels[y * image.width + x])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(image.width, 0)
  header.writeUInt32BE(image.height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  const parts = [
    ['IHDR', header],
    ['PLTE', colours],
    ['IDAT', deflateSync(rows, { level: 9 })],
    ['IEND', Buffer.alloc(0)],
  ]
  return Buffer.concat([SIGNATURE, ...parts.map(([type, data]) => chunk(type, data))])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** The smallest visible distance between two colours. */
const VISIBLE = 64

/** Chooses the most frequent distinct colours, and maps every other to the nearest. A small green dot stays green. */
function choosePalette(pixels) {
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = []
  for (const [colour] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (palette.length === COLOURS) break
    if (palette.every(other => distance(colour, other) > VISIBLE)) palette.push(colour)
  }
  const known = new Map(palette.map((colour, index) => [colour, index]))
  const indexOf = colour => {
    const found = known.get(colour)
    if (found !== undefined) return found
    const distances = palette.map(other => distance(colour, other))
    const nearest = distances.indexOf(Math.min(...distances))
    known.set(colour, nearest)
    return nearest
  }
  return { palette, indexOf }
}

function distance(a, b) {
  const part = shift => ((a >> shift) & 255) - ((b >> shift) & 255)
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2
}

/** One number for each pixel, 0xRRGGBB. */
function decode(png) {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const channels = png[25] === 6 ? 4 : 3
  const data = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), { stride: width * channels, channels, height })
  const pixels = new Uint32Array(width * height)
  for (let i = 0; i < pixels.length; i++) {
    const at = i * channels
    pixels[i] = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2]
  }
  return { width, height, pixels }
}

/** PNG specification, 9: each row holds differences to the bytes to its left and above it. */
function unfilter(raw, { stride, channels, height }) {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < channels ? 0 : out[at - channels]
      const up = y === 0 ? 0 : out[at - stride]
      const corner = y === 0 || x < channels ? 0 : out[at - stride - channels]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      out[at] = raw[y * (stride + 1) + 1 + x] + guess
    }
  }
  return out
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map(value => Math.abs(left + up - corner - value))
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
