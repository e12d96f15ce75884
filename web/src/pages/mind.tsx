import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count, moment, number, percent, plain, usdc } from '../format'
import { useAsked } from '../state'
import type { Answer, Entries, Entry } from '../types'
import { Badge, Card, Empty, Gauge, Shown, Stat, Stats, Table, Words } from '../ui'

const STATES = ['active', 'candidate', 'archived', 'burned']

export function Grimoire({ golem }: { golem: string }): JSX.Element {
  const [typed, type] = useState('')
  const [words, ask] = useState('')
  const [status, choose] = useState('')
  const [skip, turn] = useState(0)
  const query = new URLSearchParams()
  if (words !== '') query.set('words', words)
  if (status !== '') query.set('status', status)
  if (skip > 0) query.set('skip', String(skip))
  const path = `golems/${golem}/grimoire?${query}`
  return (
    <main id="main">
      <div class="head"><h1>Grimoire</h1><p class="note">What it lived taught it this. Everything decays; what is not confirmed again is forgotten.</p></div>
      <Card title="Look for something">
        <form class="bar-form" role="search" onSubmit={(event) => { event.preventDefault(); turn(0); ask(typed.trim()) }}>
          <label>words<input type="search" value={typed} placeholder="does mean reversion hold" onInput={(event) => { type(event.currentTarget.value); if (event.currentTarget.value === '') ask('') }} /></label>
          <label>state<select value={status} onChange={(event) => { turn(0); choose(event.currentTarget.value) }}><option value="">all</option>{STATES.map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
          <button class="main" type="submit">search</button>
        </form>
      </Card>
      {words === '' ? <Listed golem={golem} path={path} turn={turn} /> : <Found golem={golem} path={path} />}
    </main>
  )
}

function Listed(props: { golem: string; path: string; turn: (skip: number) => void }): JSX.Element {
  const asked = useAsked<Entries>(props.path)
  return (
    <Shown of={asked}>{(told) => (
      <Card title={`${count(told.total)} entries`} note={`at tick ${count(told.tick)}, newest first`}>
        {told.entries.length === 0 ? <Empty>It knows nothing of that kind yet. Its Curator works every fifty ticks, once there are episodes to count.</Empty> : <div>{told.entries.map((one) => <OneEntry key={one.id} golem={props.golem} entry={one} />)}</div>}
        {told.total > told.entries.length && (
          <div class="bar-form">
            <button type="button" disabled={told.skipped === 0} onClick={() => props.turn(Math.max(0, told.skipped - 50))}>newer</button>
            <button type="button" disabled={told.skipped + told.entries.length >= told.total} onClick={() => props.turn(told.skipped + 50)}>older</button>
          </div>
        )}
      </Card>
    )}</Shown>
  )
}

function Found(props: { golem: string; path: string }): JSX.Element {
  const asked = useAsked<Answer>(props.path, false)
  return (
    <Shown of={asked}>{(told) => (
      <Card title={`${told.hits.length} answers`} note={`by ${told.basis}`}>
        {told.hits.length === 0 ? <Empty>Nothing it knows answers that. Active entries alone are asked, unless a state is chosen.</Empty> : <div>{told.hits.map((hit, place) => <OneEntry key={place} golem={props.golem} entry={(hit.entry ?? hit) as Entry} score={hit['score']} />)}</div>}
      </Card>
    )}</Shown>
  )
}

function OneEntry(props: { golem: string; entry: Entry; score?: unknown }): JSX.Element {
  const [isOpen, open] = useState(false)
  const { entry } = props
  return (
    <article class={entry['bloodstain'] === true ? 'entry stained' : 'entry'} data-felt={entry['last_felt'] ?? undefined}>
      <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}><Words>{entry.content ?? entry.id}</Words></button>
      <p class="facts"><Badge tone={entry.status === 'active' ? 'good' : entry.status === 'candidate' ? 'warn' : 'dead'}>{entry.status}</Badge><span>{plain(entry.kind)}</span><span>confidence <b>{percent(entry['confidence_ppm'] as number)}</b></span><span>now <b>{percent(entry['effective_ppm'] as number)}</b></span>{typeof props.score === 'number' && <span>score <b>{number(props.score)}</b></span>}<span>{String(entry['provenance'] ?? '')}</span>{entry['bloodstain'] === true && <span>of the dead{entry['last_felt'] ? `, who felt ${plain(String(entry['last_felt']))}` : ''}</span>}<span>tick {count(entry['recorded_tick'] as number)}</span></p>
      {isOpen && <Whole golem={props.golem} id={entry.id} />}
    </article>
  )
}

function Whole(props: { golem: string; id: string }): JSX.Element {
  const asked = useAsked<{ more: Record<string, unknown> | null; behind: { tick: number; outcome: string; text: string }[]; history: { tick: number; what: string; note: string | null }[] }>(`golems/${props.golem}/entries/${props.id}`, false)
  return (
    <Shown of={asked}>{(told) => (
      <div class="grid">
        <div>
          <h3>Episodes behind it</h3>
          {told.behind.length === 0 ? <p class="note">None is kept.</p> : <ul class="why">{told.behind.map((one, place) => <li key={place}>tick {count(one.tick)}, {plain(one.outcome)}: <Words>{one.text}</Words></li>)}</ul>}
        </div>
        <div>
          <h3>What happened to it</h3>
          {told.history.length === 0 ? <p class="note">Nothing since it was written.</p> : <ul class="why">{told.history.map((one, place) => <li key={place}>tick {count(one.tick)}: <Words>{plain(String(one.what))}</Words> <Words>{one.note}</Words></li>)}</ul>}
        </div>
      </div>
    )}</Shown>
  )
}

interface Supposed { source: string; description: string; rationale: string; failure_conditions: string; minimum_test: string }
interface DreamsTold {
  dreaming: (Record<string, unknown> & { spent_usdc_micros?: Record<string, number>; asleep: null | Record<string, unknown> }) | null
  dreams: { cycle: string; tick: number; tier: string; trigger: string; engine: string; ending: string; replayed: number; hypotheses: number; threats: number; cost_usdc_micros: number; entry: { hypotheses: Supposed[] } }[]
}

const came = (told: DreamsTold): { staged: number; validated: number; refuted: number } =>
  told.dreaming?.['came_to'] as { staged: number; validated: number; refuted: number }

export function Dreams({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<DreamsTold>(`golems/${golem}/dreams`)
  return (
    <main id="main">
      <div class="head"><h1>Dream journal</h1></div>
      <Shown of={asked}>{(told) => (
        <>
          {told.dreaming === null ? (
            <Empty>It does not dream. Dreams are off in a new Golem: write <code>enabled = true</code> under <code>[dreams]</code> of its <code>golem.toml</code>.</Empty>
          ) : (
            <Stats>
              <Stat label="urgency" note={`opens at ${number(told.dreaming['threshold'] as number)}`}>{number(told.dreaming['urgency'] as number)}</Stat>
              <Stat label="dreams so far">{count(told.dreaming['cycles'] as number)}</Stat>
              <Stat label="not replayed yet" note={`of ${count(told.dreaming['episodes'] as number)} episodes`}>{count(told.dreaming['unreplayed'] as number)}</Stat>
              <Stat label="rules tried of them" note={`${count(came(told).validated)} came to move money, ${count(came(told).refuted)} were refuted`}>{count(came(told).staged)}</Stat>
              <Stat label="now" note={told.dreaming.asleep === null ? String(told.dreaming['mode']) : `since tick ${count(told.dreaming.asleep['since'] as number)}`}>{told.dreaming.asleep === null ? 'awake' : 'dreaming'}</Stat>
            </Stats>
          )}
          {(told.dreaming !== null || told.dreams.length > 0) && (
            <div class="grid">
              <Card title="What it dreamt" wide>
                <Table caption="dreams, newest first" rows={told.dreams} keyOf={(row) => row.cycle} empty="It has not dreamt yet." columns={[
                  { name: 'tick', right: true, cell: (row) => count(row.tick) }, { name: 'because of', cell: (row) => plain(row.trigger) }, { name: 'by', cell: (row) => plain(row.engine) },
                  { name: 'ended', cell: (row) => row.ending }, { name: 'replayed', right: true, cell: (row) => row.replayed },
                  { name: 'supposed', right: true, cell: (row) => row.hypotheses }, { name: 'threats', right: true, cell: (row) => row.threats }, { name: 'cost', right: true, cell: (row) => usdc(row.cost_usdc_micros) },
                ]} />
              </Card>
              <Card title="What it supposed" wide>
                <Table caption="what dreams supposed in words, newest first" rows={told.dreams.flatMap((dream) => dream.entry.hypotheses.map((one, place) => ({ ...one, key: `${dream.cycle}/${place}` })))} keyOf={(row) => row.key} empty="Nothing; rules that it found are tried in its book." columns={[
                  { name: 'by', cell: (row) => plain(String(row.source)) }, { name: 'supposed', cell: (row) => <Words>{String(row.description)}</Words> },
                  { name: 'why', cell: (row) => <Words>{String(row.rationale)}</Words> }, { name: 'could be tested by', cell: (row) => <Words>{String(row.minimum_test)}</Words> },
                ]} />
              </Card>
            </div>
          )}
        </>
      )}</Shown>
    </main>
  )
}

interface Pad { pleasure: number; arousal: number; dominance: number }
interface MindTold {
  mood: null | { mood: string; disposition: string; mode: string; pad: Pad; baseline: Pad; grief_ticks: number; is_helpless: boolean; influence: Record<string, number>; recent: { tick: number; event: string; emotion: string; degree: string; intensity_ppm: number }[] }
  suffering: null | (Record<string, unknown> & { pressing: Record<string, unknown>[]; eased: Record<string, unknown>[] })
}

export function Mind({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<MindTold>(`golems/${golem}/mind`)
  return (
    <main id="main">
      <div class="head"><h1>Mood and suffering</h1></div>
      <Shown of={asked}>{(told) => (
        <div class="grid">
          <Card title="Mood" note={told.mood === null ? '' : `${told.mood.disposition}, ${told.mood.mode}`}>
            {told.mood === null ? <Empty>It has no moods: write <code>mode = "rules"</code> under <code>[daimon]</code> of its <code>golem.toml</code>.</Empty> : (
              <>
                <p class="facts"><span>it is <b>{plain(told.mood.mood)}</b></span>{told.mood.is_helpless && <Badge tone="bad">helpless</Badge>}{told.mood.grief_ticks > 0 && <span>grieves for <b>{told.mood.grief_ticks}</b> ticks</span>}</p>
                <div class="gauges">{(['pleasure', 'arousal', 'dominance'] as const).map((axis) => <Axis key={axis} name={axis} value={told.mood?.pad[axis] ?? 0} base={told.mood?.baseline[axis] ?? 0} />)}</div>
              </>
            )}
          </Card>
          <Card title="What presses on it">
            {told.suffering === null ? <Empty>It does not suffer: write <code>profile = "hardened"</code> under <code>[suffering]</code>.</Empty> : told.suffering.pressing.length === 0 ? <Empty>Nothing presses on it now.</Empty> : (
              <div class="gauges">{told.suffering.pressing.map((one, place) => <Pressing key={place} one={one} />)}</div>
            )}
            {told.suffering !== null && <Facts of={told.suffering} but={['pressing', 'eased', 'golem', 'life', 'tick']} />}
          </Card>
          {told.mood !== null && <Card title="What its mood does to its decisions"><Facts of={told.mood.influence} /></Card>}
          {told.mood !== null && (
            <Card title="Appraised of late">
              <Table caption="appraised of late" rows={[...told.mood.recent].reverse()} empty="Nothing has moved it yet." columns={[
                { name: 'tick', right: true, cell: (row) => count(row.tick) }, { name: 'what', cell: (row) => plain(row.event) }, { name: 'felt', cell: (row) => `${row.degree} ${plain(row.emotion)}` }, { name: 'how much', right: true, cell: (row) => percent(row.intensity_ppm) },
              ]} />
            </Card>
          )}
          {told.suffering !== null && told.suffering.eased.length > 0 && <Card title="What is over" wide><div class="grid">{told.suffering.eased.map((one, place) => <Facts key={place} of={one} />)}</div></Card>}
        </div>
      )}</Shown>
    </main>
  )
}

function Axis(props: { name: string; value: number; base: number }): JSX.Element {
  const place = (value: number): number => 50 + Math.max(-1, Math.min(1, value)) * 50
  return (
    <div class="gauge">
      <span class="name">{props.name}</span><span class="value">{props.value.toFixed(2)}</span>
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={`${props.name} ${props.value.toFixed(2)}, usually ${props.base.toFixed(2)}`}>
        <rect class="whole" width="100" height="4" /><rect class={`part ${props.value < 0 ? 'low' : ''}`} x={Math.min(50, place(props.value))} width={Math.abs(place(props.value) - 50)} height="4" />
        <rect x={place(props.base) - 0.4} width="0.8" height="4" fill="currentColor" />
      </svg>
    </div>
  )
}

function Pressing({ one }: { one: Record<string, unknown> }): JSX.Element {
  const [key, value] = Object.entries(one).find(([name, value]) => name.endsWith('_ppm') && typeof value === 'number') ?? ['', 0]
  const name = Object.values(one).find((value) => typeof value === 'string')
  return <Gauge label={`${plain(String(name ?? ''))}, ${plain(key.replace(/_ppm$/, ''))}`} ppm={value as number} />
}

/** Whatever a picture tells, under its own names. */
export function Facts(props: { of: Record<string, unknown>; but?: string[]; link?: (key: string, value: string) => ComponentChildren }): JSX.Element {
  const rows = Object.entries(props.of).filter(([key, value]) => !(props.but ?? []).includes(key) && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
  return <dl class="parts">{rows.map(([key, value]) => <FactRow key={key} name={key} value={value} link={props.link} />)}</dl>
}

function FactRow(props: { name: string; value: unknown; link: ((key: string, value: string) => ComponentChildren) | undefined }): JSX.Element {
  return <><dt>{plain(props.name.replace(/_(usdc_micros|ppm|wei|ticks|seconds|micros|token_units)$/, ''))}</dt><dd>{(typeof props.value === 'string' ? props.link?.(props.name, props.value) : undefined) ?? said(props.name, props.value)}</dd></>
}

function said(key: string, value: unknown): ComponentChildren {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return <Words>{Object.entries(value).map(([name, inner]) => `${plain(name)} ${flat(key.endsWith('_usdc_micros') ? 'x_usdc_micros' : name, inner)}`).join(', ')}</Words>
  return <Words>{flat(key, value)}</Words>
}

function flat(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return key.endsWith('_usdc_micros') ? `${usdc(value)} USDC` : key.endsWith('_ppm') ? percent(value, 1) : number(value)
  if (typeof value === 'string') return key.endsWith('_wei') ? `${(Number(value) / 1e18).toFixed(6)} ETH` : /^\d{4}-\d\d-\d\dT/.test(value) ? moment(value) : value
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'object' && one !== null ? Object.values(one).map(String).join(' ') : String(one))).join(', ')
  return value === null ? '–' : JSON.stringify(value)
}
