import { type Client, describeUsual } from '../client.ts'
import { underSettings } from '../place.ts'

/** Its file names programs only; servers behind an address are added in its settings window. */
export const claudeDesktop: Client = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  shape: 'object',
  references: 'none',
  files: place => [
    {
      scope: 'user',
      path: underSettings(place, 'Claude', 'claude_desktop_config.json'),
      block: ['mcpServers'],
    },
  ],
  speaksHttp: false,
  describeGateway: describeUsual,
  afterwards: 'Quit Claude Desktop and start it again.',
}
