import { describe, expect, it } from 'vitest'
import { answerPage } from './page-result.ts'

const page = {
  handle: 'res_1',
  tool: 'crm:export',
  part: '/content/0/text',
  total: 25_000,
  offset: 1000,
} as const

describe('the answer with a page', () => {
  it('contains the text, its position and the call that continues', () => {
    const answered = { ...page, unit: 'chars', text: 'abc', next: '1-2-aaaaaa' } as const
    expect(answerPage(answered)).toEqual({
      content: [
        { type: 'text', text: 'abc' },
        {
          type: 'text',
          text: '[Part "/content/0/text": characters 1,001–1,003 of 25,000. Continue with read_result {"handle":"res_1","cursor":"1-2-aaaaaa"}]',
        },
      ],
      structuredContent: answered,
    })
  })

  it('shows an image once, as an image', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const answer = answerPage({
      ...page,
      part: '/content/1',
      unit: 'block',
      offset: 0,
      total: 1,
      block: image,
    })
    expect(answer.content).toEqual([image, { type: 'text', text: '[Part "/content/1". End of the result.]' }])
    expect(answer.structuredContent).not.toHaveProperty('block')
  })

  it('shows a value that is not a content block as text', () => {
    const answer = answerPage({ ...page, part: '/n', unit: 'block', offset: 0, total: 1, block: [1] })
    expect(answer.content).toMatchObject([{ type: 'text', text: '[1]' }, {}])
  })

  it('says where the omitted values are', () => {
    const cut = [{ part: '/structuredContent/rows/1', unit: 'items', total: 500 }] as const
    const answer = answerPage({
      ...page,
      part: '/structuredContent/rows',
      unit: 'items',
      items: [1, null],
      cut,
    })
    expect(answer.content).toEqual([
      { type: 'text', text: '[1,null]' },
      {
        type: 'text',
        text: '[Part "/structuredContent/rows": items 1,001–1,002 of 25,000. Values shown as null are separate parts, listed in `cut`. End of the result.]',
      },
    ])
    expect(answer.structuredContent).toMatchObject({ cut })
  })
})
