import { styleText } from 'node:util'

type Style = 'red' | 'yellow' | 'green' | 'blue' | 'dim' | 'bold' | 'cyan'

export type Paint = (style: Style, text: string) => string

/** Colours only where somebody looks at them: a terminal, unless NO_COLOR says otherwise. */
export function createPaint(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Paint {
  const isWanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return (style, text) => (isWanted ? styleText(style, text, { validateStream: false }) : text)
}
