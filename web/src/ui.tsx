import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Asked } from './state'
import { harmless, percent } from './format'

export function Card(props: { title?: string; note?: ComponentChildren; children: ComponentChildren; wide?: boolean; class?: string }): JSX.Element {
  const id = useId()
  return (
    <section class={`card ${props.wide === true ? 'wide' : ''} ${props.class ?? ''}`} {...(props.title !== undefined ? { 'aria-labelledby': id } : {})}>
      {props.title !== undefined && (
        <header>
          <h2 id={id}>{props.title}</h2>
          {props.note !== undefined && <p class="note">{props.note}</p>}
        </header>
      )}
      {props.children}
    </section>
  )
}

export function Stat(props: { label: string; children: ComponentChildren; note?: ComponentChildren; class?: string }): JSX.Element {
  return (
    <div class="stat">
      <dt>{props.label}</dt>
      <dd class={props.class ?? ''}>{props.children}</dd>
      {props.note !== undefined && <dd class="note">{props.note}</dd>}
    </div>
  )
}

export const Stats = (props: { children: ComponentChildren }): JSX.Element => <dl class="stats">{props.children}</dl>

export interface Column<T> {
  name: string
  cell: (row: T) => ComponentChildren
  right?: boolean
  class?: (row: T) => string
}

export function Table<T>(props: { caption: string; rows: readonly T[]; columns: Column<T>[]; empty: string; key?: (row: T, at: number) => string | number; keyOf?: (row: T, at: number) => string | number }): JSX.Element {
  if (props.rows.length === 0) return <Empty>{props.empty}</Empty>
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table>
        <caption class="unseen">{props.caption}</caption>
        <thead>
          <tr>{props.columns.map((column) => <th key={column.name} scope="col" class={column.right === true ? 'right' : ''}>{column.name}</th>)}</tr>
        </thead>
        <tbody>
          {props.rows.map((row, at) => (
            <tr key={props.keyOf?.(row, at) ?? at}>
              {props.columns.map((column) => <td key={column.name} class={`${column.right === true ? 'right' : ''} ${column.class?.(row) ?? ''}`}>{column.cell(row)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const Empty = (props: { children: ComponentChildren }): JSX.Element => <p class="empty">{props.children}</p>

/** Words that somebody else wrote. */
export const Words = (props: { children: string | null | undefined }): JSX.Element => <bdi>{harmless(props.children ?? '')}</bdi>

const TONES: Record<string, string> = {
  thriving: 'thriving', stable: 'stable', conservation: 'conservation', declining: 'declining', terminal: 'terminal',
  alive: 'good', dreaming: 'dream', dying: 'bad', dead: 'dead', unreadable: 'bad',
}
export const Badge = (props: { children: string; tone?: string }): JSX.Element => <span class={`badge tone-${props.tone ?? TONES[props.children.toLowerCase()] ?? 'plain'}`}>{props.children}</span>

export function Gauge(props: { label: string; ppm: number; note?: string; class?: string }): JSX.Element {
  const share = Math.max(0, Math.min(1, props.ppm / 1e6))
  return (
    <div class={`gauge ${props.class ?? ''}`}>
      <span class="name">{props.label}</span>
      <span class="value">{props.note ?? percent(props.ppm)}</span>
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={`${props.label} ${props.note ?? percent(props.ppm)}`}>
        <rect class="whole" width="100" height="4" />
        <rect class={`part ${share < 0.3 ? 'low' : share < 0.6 ? 'mid' : ''}`} width={share * 100} height="4" />
      </svg>
    </div>
  )
}

/** A curve as small as a word. */
export function Spark(props: { values: number[]; label: string; class?: string }): JSX.Element {
  const values = props.values
  if (values.length < 2) return <span class="spark none" aria-hidden="true" />
  const least = Math.min(...values)
  const room = Math.max(...values) - least || 1
  const points = values.map((value, at) => `${((at / (values.length - 1)) * 100).toFixed(2)},${(28 - ((value - least) / room) * 26).toFixed(2)}`)
  return (
    <svg class={`spark ${props.class ?? ''}`} viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={props.label}>
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  )
}

/** What was asked, or why there is nothing, or that it is on its way. */
export function Shown<T>(props: { of: Asked<T>; children: (told: T) => ComponentChildren; quiet?: boolean }): JSX.Element {
  const { told, wrong } = props.of
  return (
    <>
      {wrong !== null && wrong.message !== 'left' && (
        <p class={`trouble ${props.quiet === true ? 'soft' : ''}`} role="status"><Words>{wrong.message}</Words></p>
      )}
      {told !== null ? props.children(told) : wrong === null && <div class="waiting" role="status"><span class="unseen">asking</span></div>}
    </>
  )
}

/** A testament or another text with headings and lists; nothing in it is ever taken for markup. */
export function Prose(props: { text: string }): JSX.Element {
  const blocks: JSX.Element[] = []
  let list: JSX.Element[] = []
  const close = (): void => {
    if (list.length > 0) blocks.push(<ul key={blocks.length}>{list}</ul>)
    list = []
  }
  for (const row of harmless(props.text).split('\n')) {
    const head = /^(#{1,4}) (.*)$/.exec(row)
    const item = /^\s*[-*] (.*)$/.exec(row)
    if (item !== null) list.push(<li key={list.length}>{item[1]}</li>)
    else {
      close()
      if (head !== null) blocks.push(head[1]?.length === 1 ? <h3 key={blocks.length}>{head[2]}</h3> : <h4 key={blocks.length}>{head[2]}</h4>)
      else if (row.trim() !== '') blocks.push(<p key={blocks.length}>{row}</p>)
    }
  }
  close()
  return <div class="prose">{blocks}</div>
}
