import { prefixed, type SecretRule, startingWith } from './secret-rule.ts'

const WORD = '\\w-'
const HEX = 'a-f0-9'

/** Clouds and what runs in them. */
export const CLOUD_SECRETS: readonly SecretRule[] = [
  {
    id: 'aws-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T'],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    confidence: 0.95,
    judge: key => !key.endsWith('EXAMPLE') && !key.endsWith('XXXXXXXX'),
  },
  prefixed('aws-bedrock-key', 'ABSK', { of: 'A-Za-z0-9+/=', min: 109, max: 270 }),
  {
    id: 'aws-bedrock-key',
    hints: ['bedrock-api-key-'],
    pattern: /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[\w+/=-]{0,300}/g,
    confidence: 0.9,
  },
  {
    id: 'azure-client-secret',
    hints: ['Q~'],
    hintAt: [4],
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
    confidence: 0.9,
    entropy: 3.3,
  },
  {
    id: 'azure-storage-key',
    hints: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}={1,2})/g,
    confidence: 0.95,
    entropy: 4,
  },
  { ...prefixed('google-api-key', 'AIza', { of: WORD, min: 35 }), entropy: 4 },
  prefixed('google-oauth', 'GOCSPX-', { of: WORD, min: 28 }),
  prefixed('google-oauth', 'ya29.', { of: WORD, min: 30, max: 300 }),
  prefixed('databricks-token', 'dapi', { of: 'a-f0-9-', min: 32, max: 34 }),
  prefixed('fly-token', 'fo1_', { of: WORD, min: 43 }),
  {
    id: 'fly-token',
    hints: ['fm1', 'fm2_'],
    pattern: startingWith('fm(?:1[ar]|2)_', { of: '\\w+/=', min: 100, max: 600 }),
    confidence: 0.95,
    entropy: 3,
  },
  prefixed('cloudflare-key', 'v1.0-', { of: 'a-f0-9-', min: 150, max: 180 }),
  {
    id: 'digitalocean-token',
    hints: ['_v1_'],
    hintAt: [3],
    pattern: startingWith('do[opr]_v1_', { of: HEX, min: 64 }),
    confidence: 0.95,
    entropy: 3,
  },
  {
    id: 'vault-token',
    hints: ['hvs.', 'hvb.', 'hvr.'],
    pattern: startingWith('hv[sbr]\\.', { of: WORD, min: 24, max: 300 }),
    confidence: 0.95,
    entropy: 3,
  },
  prefixed('terraform-token', '.atlasv1.', { of: 'A-Za-z0-9=_-', min: 60, max: 70 }),
  prefixed('openshift-token', 'sha256~', { of: WORD, min: 43 }),
  prefixed('pulumi-token', 'pul-', { of: HEX, min: 40 }),
  prefixed('prefect-token', 'pnu_', { min: 36 }),
  prefixed('doppler-token', 'dp.pt.', { min: 43 }),
  prefixed('dynatrace-token', 'dt0c01.', { of: 'A-Z0-9.', min: 80, max: 100 }),
  prefixed('heroku-key', 'HRKU-', { of: WORD, min: 36, max: 64 }),
  prefixed('infracost-key', 'ico-', { min: 32 }),
  {
    id: 'planetscale-token',
    hints: ['pscale_'],
    pattern: startingWith('pscale_(?:oauth|tkn|pw)_', { of: '\\w=.-', min: 32, max: 64 }),
    confidence: 0.95,
    entropy: 3,
  },
  {
    id: 'grafana-token',
    hints: ['glc_', 'glsa_'],
    pattern: startingWith('(?:glc|glsa)_', { of: '\\w+/=', min: 32, max: 400 }),
    confidence: 0.9,
    entropy: 3.3,
    judge: token => /\d/.test(token),
  },
]
