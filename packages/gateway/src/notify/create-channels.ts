import type { NotifyConfig } from '../config/build-notify.ts'
import type { AnswerLinks } from './answers/links.ts'
import type { BrowserDeps } from './channels/browser.ts'
import type { SlackDeps } from './channels/slack.ts'
import type { Channel } from './message/channel.ts'

export interface ChannelDeps extends SlackDeps, BrowserDeps {
  readonly links: AnswerLinks
}

/** Creates the channels of one `notify` entry. The code of each kind is loaded only if it is used. */
export async function createChannels(config: NotifyConfig, deps: ChannelDeps): Promise<readonly Channel[]> {
  switch (config.type) {
    case 'webhook': {
      const { createWebhook } = await import('./channels/webhook.ts')
      return [createWebhook(config, deps.now)]
    }
    case 'slack': {
      const { createSlack } = await import('./channels/slack.ts')
      return [createSlack(config, deps)]
    }
    case 'teams':
    case 'ntfy':
    case 'gotify': {
      const { createPush } = await import('./channels/push.ts')
      return [createPush(config, deps.links)]
    }
    case 'email': {
      const { createMail } = await import('./channels/email.ts')
      return createMail(config, deps.links)
    }
    case 'browser': {
      const { createBrowserPush } = await import('./channels/browser.ts')
      return [createBrowserPush(config, deps)]
    }
  }
}
