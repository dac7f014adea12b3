import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Overview } from '../../api/client.ts'
import { useIsDark } from '../../shell/use-is-dark.ts'
import { type Measure, stackCounts } from './stack-counts.ts'

export interface Series {
  readonly measure: Measure
  readonly label: string
  /** The name of a CSS custom property in tokens.css. */
  readonly colour: string
}

interface Props {
  readonly buckets: Overview['buckets']
  /** The series, from the top of the stack to the bottom. */
  readonly series: readonly Series[]
  readonly label: string
}

const HEIGHT = 216

/** Shows calls over time as stacked bars. */
export function CallChart({ buckets, series, label }: Props): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const isDark = useIsDark()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme change needs new colours; data has its own effect
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const plot = new uPlot(createOptions(element, series), toData(buckets, series), element)
    chart.current = plot
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
      chart.current = undefined
    }
  }, [series, isDark])

  useEffect(() => {
    chart.current?.setData(toData(buckets, series))
  }, [buckets, series])

  return <div ref={container} className="chart" role="img" aria-label={label} />
}

function toData(buckets: Overview['buckets'], series: readonly Series[]): uPlot.AlignedData {
  return stackCounts(
    buckets,
    series.map(({ measure }) => measure),
  ) as uPlot.AlignedData
}

function createOptions(element: HTMLElement, series: readonly Series[]): uPlot.Options {
  const [text, line] = [readColour(element, '--text-3'), readColour(element, '--line')]
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: text, font, ticks: { show: false }, grid: { stroke: line, width: 1 } }
  const bars = uPlot.paths.bars?.({ size: [0.72, 28], radius: 0.12 })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Leaves room for half a bar at both ends.
      x: { range: (chart, first, last) => widen(chart.data[0], [first, last]) },
      y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 80 },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 100_000] },
    ],
    series: [
      {},
      ...series.map(({ label, colour }) => ({
        label,
        fill: readColour(element, colour),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  }
}

function widen(times: ArrayLike<number>, [first, last]: readonly [number, number]): uPlot.Range.MinMax {
  const half = ((times[1] ?? last) - (times[0] ?? first)) / 2
  return [first - half, last + half]
}

/** Returns the value of a CSS custom property. A canvas cannot resolve the property itself. */
function readColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
