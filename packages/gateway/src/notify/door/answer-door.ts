import type { ServerResponse } from 'node:http'
import type { DirectRequest } from '../../http/direct-request.ts'
import { readBody } from '../../http/read-body.ts'
import type { Answers } from '../answers/answers.ts'
import { ANSWER_PATH, type AnswerLinks } from '../answers/links.ts'
import { describeEnding, endingOf, writeMessage } from '../message/message.ts'
import { PAGE_HEADERS, writeQuestionPage, writeTextPage } from './answer-page.ts'
import type { SlackDoor } from './slack-door.ts'

export interface AnswerVisit {
  readonly req: DirectRequest
  readonly res: ServerResponse
  readonly path: string
}

interface DoorDeps {
  readonly answers: Answers
  readonly links: AnswerLinks
  readonly slack: SlackDoor
  readonly publicUrl: () => string
  readonly now: () => number
}

const SLACK_PATH = '/notify/slack/'
/** Maximum length of a posted answer, such as `decision=approve`. */
const MOST_OF_ANSWER = 256
/** Maximum length of a request from Slack, which includes the whole message. */
const MOST_OF_SLACK = 256 * 1024

/** Receives answers that come without a gateway token: through a sealed link, or signed by Slack. */
export class AnswerDoor {
  readonly #deps: DoorDeps

  constructor(deps: DoorDeps) {
    this.#deps = deps
  }

  async receive(visit: AnswerVisit): Promise<void> {
    const { path } = visit
    if (path.startsWith(ANSWER_PATH)) return this.#receiveLink(visit, path.slice(ANSWER_PATH.length))
    if (path.startsWith(SLACK_PATH)) return this.#receiveSlack(visit, path.slice(SLACK_PATH.length))
    send(visit, 404, writeTextPage('Not found', 'There is nothing here.'))
  }

  /** Handles a sealed link. Only a POST counts as an answer, because previews and mail scanners open links with GET. */
  async #receiveLink(visit: AnswerVisit, sealed: string): Promise<void> {
    const { answers, links, now, publicUrl } = this.#deps
    const { method = '' } = visit.req
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return send(visit, 405, writeTextPage('Method not allowed', 'Open the link in a browser.'), {
        allow: 'GET, HEAD, POST',
      })
    const opened = links.open(sealed)
    const approval = opened && (await answers.find(opened.approval))
    if (opened === undefined || approval === undefined)
      return send(
        visit,
        404,
        writeTextPage('Link not valid', 'This link is not valid, or is no longer valid.'),
      )
    const isOpen = approval.state === 'pending' && approval.expiresAt > now()
    if (!isOpen)
      return send(visit, 410, writeTextPage('No longer open', `${describeEnding(endingOf(approval))}.`))
    if (method !== 'POST')
      return send(visit, 200, writeQuestionPage(writeMessage(approval, publicUrl()), opened.person.name))
    const decision = new URLSearchParams(await readText(visit, MOST_OF_ANSWER)).get('decision')
    if (decision !== 'approve' && decision !== 'deny')
      return send(visit, 400, writeTextPage('Invalid answer', 'Send decision=approve or decision=deny.'))
    const result = await answers.give({
      id: approval.id,
      person: opened.person,
      verdict: decision === 'approve' ? 'approved' : 'denied',
      via: 'link',
    })
    const isCounted = result.kind === 'counted'
    send(visit, isCounted ? 200 : 409, writeTextPage(isCounted ? 'Thank you' : 'Not counted', result.text))
  }

  async #receiveSlack(visit: AnswerVisit, name: string): Promise<void> {
    if (visit.req.method !== 'POST') return void visit.res.writeHead(405, { allow: 'POST' }).end()
    const body = await readText(visit, MOST_OF_SLACK)
    const status = await this.#deps.slack.receive(name, visit.req.headers, body)
    visit.res.writeHead(status, { 'content-length': '0' }).end()
  }
}

/** Reads the body as text. The result is empty if the body is too long. */
function readText({ req }: AnswerVisit, maxBytes: number): Promise<string> {
  return new Promise(resolve => readBody(req, { maxBytes, mayGrow: () => true }, text => resolve(text ?? '')))
}

function send(
  { req, res }: AnswerVisit,
  status: number,
  page: string,
  more: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, { ...PAGE_HEADERS, ...more, 'content-length': Buffer.byteLength(page) })
  res.end(req.method === 'HEAD' ? undefined : page)
}
