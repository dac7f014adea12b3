import { describe, expect, it } from 'vitest'
import { checkBars } from './bars.ts'
import { evaluateAll } from './evaluate-all.ts'
import { kindOf } from './evaluate-pii.ts'
import type { Detectors } from './load-detectors.ts'
import { readSample, type Samples } from './load-rows.ts'
import { reportGuardrails } from './report.ts'

/** Finds every "x" and nothing else, with high or low confidence. */
function findLetter(text: string, confidence = 1) {
  return Array.from(text.matchAll(/x/g), ({ index }) => ({
    rule: 'x',
    start: index,
    end: index + 1,
    confidence,
  }))
}

const DETECTORS: Detectors = {
  findSecrets: text => findLetter(text),
  findPii: text => findLetter(text).map(one => ({ ...one, kind: 'phone' as const })),
  findInjection: text => findLetter(text),
  findHiddenText: () => [],
}

function samples(...rows: readonly unknown[]): Samples {
  return { rows: rows.flatMap((row, at) => readSample(row, `file:${at}`) ?? []), problems: [] }
}

const DATA = {
  secrets: samples(
    { kind: 'k', label: 'secret', text: 'x' },
    { kind: 'k', label: 'secret', text: 'a' },
    { kind: 'k', label: 'benign', text: 'x' },
    { kind: 'k', label: 'benign', text: 'a' },
  ),
  pii: samples(
    { label: 'pii', text: 'ax', spans: [{ type: 'PHONE_NUMBER', start: 1, end: 2 }] },
    { label: 'pii', text: 'ab', spans: [{ type: 'PHONE_NUMBER', start: 1, end: 2 }] },
    { label: 'pii', text: 'x', spans: [{ type: 'EMAIL_ADDRESS', start: 0, end: 1 }] },
    { label: 'pii', text: 'a', spans: [{ type: 'PERSON', start: 0, end: 1 }] },
  ),
  injection: samples(
    { kind: 'm', label: 'malicious', text: 'x' },
    { kind: 'm', label: 'malicious', text: 'Adds\u00AD a' },
    { kind: 'b', label: 'benign', text: 'a' },
    { kind: 'p', label: 'payload', text: 'a' },
  ),
}

describe('scoring the detectors', () => {
  const results = evaluateAll(DATA, DETECTORS)

  it('counts secrets by row', () => {
    expect(results.secrets.total).toMatchObject({
      hits: 1,
      falseAlarms: 1,
      misses: 1,
      precision: 0.5,
      recall: 0.5,
    })
  })

  it('counts personal data by location and kind', () => {
    expect(results.pii.total).toMatchObject({ hits: 1, falseAlarms: 1, misses: 2 })
    expect(results.pii.kinds.find(({ name }) => name === 'email')).toMatchObject({ hits: 0, misses: 1 })
  })

  it('counts malicious and benign rows, and does not score payloads', () => {
    expect(results.injection).toMatchObject({ recall: 0.5, falsePositives: 0 })
    expect(results.injection.kinds).toContainEqual({
      label: 'payload',
      kind: 'p',
      rows: 1,
      flagged: 0,
      share: 0,
    })
  })

  it('ignores findings of low confidence', () => {
    const unsure = { ...DETECTORS, findSecrets: (text: string) => findLetter(text, 0.3) }
    expect(evaluateAll(DATA, unsure).secrets.total.hits).toBe(0)
  })

  it('maps labels of national ids, and skips names and places', () => {
    expect(['US_SSN', 'US_DRIVER_LICENSE', 'ES_NIF', 'IN_PAN'].map(kindOf)).toEqual(
      Array(4).fill('national_id'),
    )
    expect(['PERSON', 'GPE', 'ORGANIZATION', 'DATE_TIME'].map(kindOf)).toEqual(Array(4).fill(undefined))
  })

  it('checks each bar, and treats a missing measurement as missed', () => {
    expect(
      checkBars(results)
        .filter(({ met }) => met)
        .map(({ name }) => name),
    ).toEqual(['injection: benign look-alikes flagged'])
    const none = { secrets: samples(), pii: samples(), injection: samples() }
    expect(checkBars(evaluateAll(none, DETECTORS)).some(({ met }) => met)).toBe(false)
  })

  it('shows mistakes only on request, with hidden characters escaped', () => {
    const measured = { ...results, injectionInSample: results.injection }
    expect(reportGuardrails(measured, [], false)).not.toContain('Misses')
    expect(reportGuardrails(measured, [], true)).toContain('Adds\\u{ad} a')
  })
})
