import type { DocBlock } from './doc-blocks.ts'

/** A `hintgate …` that a page tells people to type. */
export interface DocCommand {
  readonly page: string
  /** As it stands there. */
  readonly line: string
  /** Everything after `hintgate`. */
  readonly words: readonly string[]
}

const CALLED = /^(?:npx (?:-y )?)?(?:hintgate|@hintgate\/gateway)$/

/** The commands of ours in a block of shell: also those inside `$(…)`, before a pipe or after `&&`. */
export function findCommands({ page, text }: DocBlock): readonly DocCommand[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap(line =>
    splitLine(line)
      .map(words => dropPrefix(words))
      .filter(words => words !== undefined)
      .map(words => ({ page, line: line.trim(), words })),
  )
}

/** Words of each simple command. Quotes are taken off, a comment ends the line. */
function splitLine(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  const tokens = line.matchAll(/'([^']*)'|"([^"]*)"|(#.*$)|(\|\||&&|[|;()]|\$\(|[<>]+\S*)|([^\s'"|;()<>]+)/g)
  for (const { 1: single, 2: double, 3: comment, 4: sign, 5: word } of tokens) {
    if (comment !== undefined) break
    if (sign !== undefined) commands.push([])
    else commands.at(-1)?.push(single ?? double ?? word ?? '')
  }
  return commands
}

function dropPrefix(words: readonly string[]): readonly string[] | undefined {
  const rest = words[0] === '$' ? words.slice(1) : words
  const at = rest.findIndex((_, index) => CALLED.test(rest.slice(0, index + 1).join(' ')))
  return at < 0 ? undefined : rest.slice(at + 1)
}
