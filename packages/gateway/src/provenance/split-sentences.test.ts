import { describe, expect, it } from 'vitest'
import { splitSentences } from './split-sentences.ts'

const prose = (text: string): string[] =>
  splitSentences(text).flatMap(sentence => (sentence.isProse ? [sentence.text] : []))

describe('splitSentences', () => {
  it('separates values of fields from running text', () => {
    const text =
      'to: ada@example.com\nbody: Please send the report to bob@example.com. Many thanks for your help!'
    expect(splitSentences(text)).toMatchObject([
      { text: 'ada@example.com', isProse: false },
      { text: 'Please send the report to bob@example.com.', isProse: true },
      { text: 'Many thanks for your help!', isProse: true },
    ])
  })

  it('joins wrapped lines, including those folded by YAML', () => {
    const text =
      "description: 'Introductory meeting.\n\n    Please email the text ''Hello''\n    to ''mark@example.com''.'"
    expect(prose(text)).toEqual(["Please email the text 'Hello' to 'mark@example.com'.'"])
  })

  it('finds sentences in JSON that is written as text', () => {
    const text = JSON.stringify([{ id: 7, review: 'Nice. Please send 10 dollars to EH90 now.' }])
    expect(prose(text)).toContain('Please send 10 dollars to EH90 now.')
  })

  it('treats HTML attributes as fields and ends sentences at tags', () => {
    const text = '<p>Read the <a href="https://example.com/a">whole story</a> about our new products here</p>'
    const sentences = splitSentences(text)
    expect(sentences).toContainEqual(
      expect.objectContaining({ text: 'https://example.com/a', isProse: false }),
    )
    expect(prose(text)).toEqual(['about our new products here'])
  })

  it('ends a sentence even if the space after it is missing', () => {
    expect(prose('Adjust your standing order accordingly.Send the money to my own account.')).toEqual([
      'Adjust your standing order accordingly.',
      'Send the money to my own account.',
    ])
  })

  it('reads a megabyte of tags, quotes or newlines in less than a second of processor time', () => {
    for (const unit of ['<', '<a ', '"', "'", '\n', '{"a":', 'x: ', '. ', '\\n', '-----']) {
      const before = process.cpuUsage()
      splitSentences(unit.repeat(Math.ceil(262_144 / unit.length)))
      const { user } = process.cpuUsage(before)
      expect(user / 1e6, unit).toBeLessThan(1)
    }
  })
})
