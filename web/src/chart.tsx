// Curves. A canvas knows no style sheet, so that the colours are read from it and everything is drawn again when they change.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { painted } from './state'

export interface Series {
  from_tick: number[]
  least: number[]
  greatest: number[]
  last: number[]
}

export interface Curve {
  name: string
  /** A colour of the style sheet. */
  colour: string
  x: number[]
  y: (number | null)[]
  fill?: boolean
  dash?: boolean
  /** Dots without a line between them. */
  dots?: boolean
  width?: number
}

export interface Mark {
  x: number
  y: number | null
  kind: 'bought' | 'sold' | 'died' | 'recalled' | 'sensed'
}

export interface Phase {
  phase: string
  from: number
  to: number
}

export const curve = (name: string, colour: string, series: Series, scale: number, more: Partial<Curve> = {}): Curve => ({
  name, colour, x: series.from_tick, y: series.last.map((value) => value / scale), ...more,
})

/** A value of a series at a tick, or at the nearest before it. */
export function at(series: Series, tick: number): number | null {
  let low = 0
  let high = series.from_tick.length - 1
  if (high < 0 || tick < (series.from_tick[0] ?? 0)) return null
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((series.from_tick[middle] ?? Infinity) <= tick) low = middle
    else high = middle - 1
  }
  return series.last[low] ?? null
}

interface Props {
  label: string
  curves: Curve[]
  phases?: Phase[]
  marks?: Mark[]
  height?: number
  format: (value: number) => string
  /** What stands under a place of the lower axis; a tick otherwise. */
  formatX?: (value: number) => string
  /** Both axes count the same: what was said against what came. */
  square?: boolean
}

const ink = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

function join(curves: Curve[]): uPlot.AlignedData {
  const places = [...new Set(curves.flatMap((one) => one.x))].sort((a, b) => a - b)
  const rows = curves.map((one) => {
    const known = new Map(one.x.map((x, at) => [x, one.y[at] ?? null]))
    // What one curve does not tell is no hole in it: its line goes on to its next place.
    return places.map((x) => known.get(x))
  })
  return [places, ...rows] as uPlot.AlignedData
}

export function Chart(props: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const shape = props.curves.map((one) => `${one.name}${one.colour}`).join('|')
  const colours = painted.value
  const height = props.height ?? 240

  useEffect(() => {
    let isLeft = false
    let watcher: ResizeObserver | undefined
    void import('uplot').then(({ default: Plot }) => {
      const element = box.current
      if (isLeft || element === null) return
      const drawn = new Plot(options(latest, element.clientWidth, height), join(latest.current.curves), element)
      plot.current = drawn
      watcher = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }))
      watcher.observe(element)
    })
    return () => {
      isLeft = true
      watcher?.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape, colours, height])

  useEffect(() => {
    plot.current?.setData(join(props.curves))
  }, [props.curves, props.marks, props.phases])

  return <div class="chart" ref={box} role="img" aria-label={props.label} />
}

function options(latest: { current: Props }, width: number, height: number): uPlot.Options {
  const { curves, formatX, square } = latest.current
  const [text, grid] = [ink('soft'), ink('line')]
  const font = `11px ${ink('mono') || 'monospace'}`
  const values = (_: uPlot, splits: number[]): string[] => splits.map((value) => latest.current.format(value))
  const places = (_: uPlot, splits: number[]): string[] => splits.map((value) => (Number.isInteger(value) || formatX !== undefined ? (formatX?.(value) ?? value.toLocaleString('en-US')) : ''))
  return {
    width,
    height,
    padding: [10, 10, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: true } },
    legend: { live: true },
    scales: { x: { time: false, ...(square === true ? { range: () => both(latest.current.curves) } : {}) }, y: square === true ? { range: () => both(latest.current.curves) } : {} },
    axes: [
      { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font, values: places, space: 70, size: 30 },
      { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font, values, size: 64, space: 34 },
    ],
    series: [
      { label: formatX === undefined ? 'tick' : 'at', value: (_, value) => (value == null ? '' : (latest.current.formatX?.(value) ?? value.toLocaleString('en-US'))) },
      ...curves.map((one): uPlot.Series => ({
        label: one.name,
        stroke: ink(one.colour),
        width: one.width ?? 1.5,
        spanGaps: true,
        points: { show: one.dots === true, size: 5, fill: ink(one.colour) },
        value: (_, value) => (value == null ? '' : latest.current.format(value)),
        ...(one.fill === true ? { fill: `${ink(one.colour)}1c` } : {}),
        ...(one.dash === true ? { dash: [5, 4] } : {}),
        ...(one.dots === true ? { paths: (): null => null } : {}),
      })),
    ],
    hooks: {
      drawClear: [(drawn) => bands(drawn, latest.current.phases ?? [])],
      draw: [(drawn) => {
        if (latest.current.square === true) diagonal(drawn)
        marks(drawn, latest.current.marks ?? [])
      }],
    },
  }
}

/** From the least to the greatest of everything, with a little room. */
function both(curves: Curve[]): [number, number] {
  const all = curves.flatMap((one) => [...one.x, ...one.y.filter((value) => value !== null)])
  const [least, greatest] = [Math.min(...all), Math.max(...all)]
  const room = (greatest - least || Math.abs(greatest) || 1) * 0.08
  return [least - room, greatest + room]
}

function bands(drawn: uPlot, phases: Phase[]): void {
  const { ctx, bbox } = drawn
  for (const { phase, from, to } of phases) {
    const left = Math.max(bbox.left, drawn.valToPos(from, 'x', true))
    const right = Math.min(bbox.left + bbox.width, drawn.valToPos(to + 1, 'x', true))
    if (right <= left) continue
    ctx.fillStyle = `${ink(`phase-${phase.toLowerCase()}`)}22`
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
    ctx.fillStyle = ink(`phase-${phase.toLowerCase()}`)
    ctx.fillRect(left, bbox.top + bbox.height - 3 * devicePixelRatio, right - left, 3 * devicePixelRatio)
  }
}

/** Where what was said is what came. */
function diagonal(drawn: uPlot): void {
  const { ctx } = drawn
  const [least, greatest] = [Math.max(drawn.scales['x']?.min ?? 0, drawn.scales['y']?.min ?? 0), Math.min(drawn.scales['x']?.max ?? 0, drawn.scales['y']?.max ?? 0)]
  ctx.save()
  ctx.strokeStyle = ink('soft')
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(drawn.valToPos(least, 'x', true), drawn.valToPos(least, 'y', true))
  ctx.lineTo(drawn.valToPos(greatest, 'x', true), drawn.valToPos(greatest, 'y', true))
  ctx.stroke()
  ctx.restore()
}

function marks(drawn: uPlot, all: Mark[]): void {
  const { ctx, bbox } = drawn
  const size = 5 * devicePixelRatio
  for (const mark of all) {
    const x = drawn.valToPos(mark.x, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    const y = mark.y === null ? bbox.top + size * 2 : drawn.valToPos(mark.y, 'y', true)
    ctx.save()
    if (mark.kind === 'bought' || mark.kind === 'sold') {
      const up = mark.kind === 'bought' ? 1 : -1
      ctx.fillStyle = ink(mark.kind === 'bought' ? 'good' : 'bad')
      ctx.strokeStyle = ink('paper')
      ctx.lineWidth = devicePixelRatio
      ctx.beginPath()
      ctx.moveTo(x, y + up * 3)
      ctx.lineTo(x - size, y + up * (size * 1.7 + 3))
      ctx.lineTo(x + size, y + up * (size * 1.7 + 3))
      ctx.closePath()
      ctx.fill()
      ctx.stroke()
    } else {
      const colour = ink(mark.kind === 'died' ? 'blood' : mark.kind === 'sensed' ? 'warn' : 'dream')
      ctx.strokeStyle = colour
      ctx.fillStyle = colour
      ctx.lineWidth = devicePixelRatio
      ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
      ctx.beginPath()
      ctx.arc(x, bbox.top + size * 1.6, mark.kind === 'died' ? size : size * 0.7, 0, Math.PI * 2)
      ctx.fill()
    }
    ctx.restore()
  }
}
