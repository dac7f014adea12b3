/** Schemes of links that connect to the host in the link. A `javascript:` or `file:` link ignores its host. */
const REACHING = new Set([
  ...['http', 'https', 'ws', 'wss', 'grpc', 'grpcs'],
  ...['ftp', 'ftps', 'sftp', 'ssh', 'rsync', 'smb'],
  ...['git', 'git+http', 'git+https', 'git+ssh', 'svn', 'svn+ssh'],
  ...['smtp', 'smtps', 'imap', 'imaps', 'ldap', 'ldaps'],
  ...['amqp', 'amqps', 'mqtt', 'mqtts', 'nats', 'kafka', 'rtmp', 'rtmps', 'rtsp', 'rtsps'],
  ...['postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'mongodb+srv', 'redis', 'rediss'],
  ...['tcp', 'udp', 'tls'],
])

/**
 * Whether opening a link connects to the host in the link.
 * @example
 * reachesItsHost(new URL('javascript://example.com/%0aalert(1)')) // false
 */
export function reachesItsHost({ protocol }: URL): boolean {
  return REACHING.has(protocol.slice(0, -1))
}
