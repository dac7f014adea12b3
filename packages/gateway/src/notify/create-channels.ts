import type { NotifyConfig } from '../config/build-notify.ts'
import type { Channel } from './channel.ts'

export interface ChannelDeps {
  readonly now: () => number
}

/** Each kind is loaded when it is used. */
export async function createChannels(config: NotifyConfig, deps: ChannelDeps): Promise<readonly Channel[]> {
  switch (config.type) {
    case 'webhook': {
      const { createWebhook } = await import('./channels/webhook.ts')
      return [createWebhook(config, deps.now)]
    }
    default:
      return []
  }
}
