import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

// Words from the algorithm's published sample vocabulary, with their stems.
const SAMPLES: Readonly<Record<string, string>> = {
  consign: 'consign',
  consigned: 'consign',
  consigning: 'consign',
  consignment: 'consign',
  consistency: 'consist',
  consistently: 'consist',
  consolations: 'consol',
  consolidated: 'consolid',
  consonant: 'conson',
  conspicuously: 'conspicu',
  conspiracy: 'conspiraci',
  knack: 'knack',
  knaves: 'knave',
  kneeling: 'kneel',
  knightly: 'knight',
  knotted: 'knot',
  happy: 'happi',
  by: 'by',
  say: 'say',
  cries: 'cri',
  ties: 'tie',
  gas: 'gas',
  kiwis: 'kiwi',
  luxuriated: 'luxuri',
  hopping: 'hop',
  hoping: 'hope',
  generate: 'generat',
  communication: 'communic',
  news: 'news',
  dying: 'die',
  exceeding: 'exceed',
  nationally: 'nation',
  replacement: 'replac',
  adoption: 'adopt',
  controlling: 'control',
  rate: 'rate',
  fulness: 'ful',
}

describe('stems', () => {
  it.each(Object.entries(SAMPLES))('%s → %s', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it('maps the forms of a word to one stem', () => {
    for (const family of [
      'connect connected connecting connection connections',
      'list lists listed listing',
    ]) {
      expect(new Set(family.split(' ').map(stem)).size).toBe(1)
    }
  })

  it.each(['s3', 'naïve', '文件', 'x', ''])('leaves "%s" alone', word => {
    expect(stem(word)).toBe(word)
  })

  it('gives the same stem when called again', () => {
    expect([stem('deployments'), stem('deployments')]).toEqual(['deploy', 'deploy'])
  })
})
