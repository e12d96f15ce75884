import type { JSX } from 'preact'
import { count, gain, leaning, moment, percent, plain, span, usdc } from '../format'
import { to, useAsked, useStream } from '../state'
import type { Fleet as Told, FleetLine } from '../types'
import { Badge, Shown, Spark, Stat, Stats, Words } from '../ui'

export function Fleet(): JSX.Element {
  useStream(null)
  const asked = useAsked<Told>('fleet')
  return (
    <main id="main">
      <div class="head"><h1>Golems of this machine</h1><a class="button" href={to('new')}>Raise a Golem</a></div>
      <Shown of={asked}>{(fleet) => fleet.golems.length === 0 ? <Nobody home={fleet.home} /> : <Everybody fleet={fleet} />}</Shown>
    </main>
  )
}

const Nobody = (props: { home: string }): JSX.Element => (
  <div class="empty">
    <p>Nobody lives in <code><Words>{props.home}</Words></code> yet.</p>
    <p>Start a local L2 with <code>bardo chain up --detach</code> and raise a Golem <a href={to('new')}>here</a>
      with your wallet, or with <code>bardo golem create ada</code>; it appears here with its first tick.</p>
  </div>
)

function Everybody({ fleet }: { fleet: Told }): JSX.Element {
  const living = fleet.golems.filter((one) => one.life !== 'dead')
  const sum = (of: (one: FleetLine) => number | null): number => fleet.golems.reduce((all, one) => all + (of(one) ?? 0), 0)
  const after = sum((one) => one.after_everything_usdc_micros)
  const ahead = sum((one) => one.ahead_usdc_micros)
  return (
    <>
      <Stats>
        <Stat label="alive">{living.length}<span class="soft"> of {fleet.golems.length}</span></Stat>
        <Stat label="capital, USDC" note="of the living, at the prices of now">{usdc(living.reduce((all, one) => all + (one.equity_usdc_micros ?? 0), 0))}</Stat>
        <Stat label="made after everything" class={leaning(after)}>{gain(after)}</Stat>
        <Stat label="ahead of holding" class={leaning(ahead)}>{gain(ahead)}</Stat>
      </Stats>
      <ul class="fleet">{fleet.golems.map((one) => <li key={one.name}><Golem one={one} /></li>)}</ul>
    </>
  )
}

function Golem({ one }: { one: FleetLine }): JSX.Element {
  const isDead = one.life === 'dead'
  return (
    <a class={`golem ${isDead ? 'dead' : ''}`} href={to('golem', one.name, isDead ? 'line' : 'life')}>
      <div class="row">
        <span class="name">{isDead ? '† ' : ''}<Words>{one.name}</Words></span>
        <Badge>{one.life}</Badge>
        {!isDead && one.phase !== null && <Badge>{one.phase}</Badge>}
      </div>
      {one.error !== null ? <p class="trouble"><Words>{one.error}</Words></p> : (
        <>
          <Spark values={one.worth_usdc_micros.last} label={`what the capital of ${one.name} was worth`} />
          <dl>
            <dt>capital is worth</dt><dd>{usdc(one.equity_usdc_micros)}</dd>
            <dt>made after everything</dt><dd class={leaning(one.after_everything_usdc_micros)}>{gain(one.after_everything_usdc_micros)}</dd>
            <dt>ahead of holding</dt><dd class={leaning(one.ahead_usdc_micros)}>{gain(one.ahead_usdc_micros)}</dd>
            {isDead ? <><dt>died of</dt><dd>{plain(one.cause ?? 'unknown')}</dd></> : <><dt>vitality</dt><dd>{percent(one.vitality_ppm)}</dd><dt>credits last</dt><dd>{span(one.credits_last_ticks)}</dd></>}
          </dl>
          <p class="note">{one.paper ? 'on paper' : `agent ${one.agent ?? ''} on chain ${one.chain ?? ''}`} · tick {count(one.tick)} · {one.process === null ? 'nobody lives it now' : `process ${one.process} lives it`} · {moment(one.last_seen)}</p>
        </>
      )}
    </a>
  )
}
