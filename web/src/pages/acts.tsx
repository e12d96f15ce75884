import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { get, post } from '../api'
import { ether, short } from '../format'
import { heard, to, useAsked } from '../state'
import type { Portrait, Prepared, Transaction } from '../types'
import { Card, Empty, Shown, Words } from '../ui'
import { held, send, stand, type Wallet, words } from '../wallet'
import { Decoded } from './chain'
import { Handles, Succeed, WalletCard } from './undertaking'
import { Head } from './life'

type Wanted = { act: 'kill'; reason: string; revoke: boolean } | { act: 'fund'; amount: string; into_capital: boolean } | { act: 'withdraw'; amount: string }

export function Acts({ golem }: { golem: string }): JSX.Element {
  const portrait = useAsked<Portrait>(`golems/${golem}/portrait`)
  const isDead = portrait.told?.life.life === 'dead'
  return (
    <main id="main">
      <Shown of={portrait}>{(told) => (
        <>
          <Head told={told} />
          {told.paper ? <Empty>Who lives on paper has no vault that anything can be sent to, and nobody to end it by a transaction.</Empty> : (
            <div class="grid">
              <WalletCard owner={told.owner} />
              <Card title="What you can do" class="acts" wide={isDead}>
                {isDead ? <Succeed golem={golem} /> : <Choices golem={golem} held={held.value} />}
              </Card>
              {!isDead && <Card title="Its line, its key, its owner" class="acts"><Handles golem={golem} /></Card>}
            </div>
          )}
        </>
      )}</Shown>
    </main>
  )
}

function Choices(props: { golem: string; held: { wallet: Wallet; from: string } | null }): JSX.Element {
  const [wanted, want] = useState<Wanted | null>(null)
  const [credits, setCredits] = useState('10')
  const [capital, setCapital] = useState(false)
  const [back, setBack] = useState('')
  const [reason, setReason] = useState('')
  const [revoke, setRevoke] = useState(false)
  const isIdle = props.held === null
  return (
    <>
      {isIdle && <p class="note">Choose a wallet first.</p>}
      <form onSubmit={(event) => { event.preventDefault(); want({ act: 'fund', amount: credits, into_capital: capital }) }}>
        <fieldset disabled={isIdle}><legend>Give it USDC</legend>
          <label>amount<input type="text" inputMode="decimal" value={credits} onInput={(event) => setCredits(event.currentTarget.value)} /></label>
          <label class="check"><input type="checkbox" checked={capital} onChange={(event) => setCapital(event.currentTarget.checked)} />to trade with, not to live on</label>
          <div><button class="main" type="submit">prepare the top-up</button></div>
        </fieldset>
      </form>
      <form onSubmit={(event) => { event.preventDefault(); want({ act: 'withdraw', amount: back }) }}>
        <fieldset disabled={isIdle}><legend>Take capital back</legend>
          <label>amount<input type="text" inputMode="decimal" value={back} onInput={(event) => setBack(event.currentTarget.value)} /></label>
          <div><button type="submit">prepare the withdrawal</button></div>
        </fieldset>
      </form>
      <form onSubmit={(event) => { event.preventDefault(); want({ act: 'kill', reason, revoke }) }}>
        <fieldset disabled={isIdle}><legend>End its life</legend>
          <label>reason, for the record on chain<input type="text" maxLength={256} value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
          <label class="check"><input type="checkbox" checked={revoke} onChange={(event) => setRevoke(event.currentTarget.checked)} />also make its key powerless at once</label>
          <div><button class="grave" type="submit">prepare the kill</button></div>
        </fieldset>
      </form>
      {props.held !== null && wanted !== null && <Sign key={JSON.stringify(wanted)} golem={props.golem} held={props.held} wanted={wanted} />}
    </>
  )
}

function Sign(props: { golem: string; held: { wallet: Wallet; from: string }; wanted: Wanted }): JSX.Element {
  const { golem, held, wanted } = props
  const [prepared, prepare] = useState<Prepared | null>(null)
  const [trouble, complain] = useState('')
  const [sent, note] = useState<string[]>([])
  const [state, turn] = useState<'new' | 'asking' | 'signing' | 'landed' | 'refused'>('new')
  if (state === 'new') {
    turn('asking')
    post<Prepared>(`golems/${golem}/acts`, { ...wanted, from: held.from }).then(prepare, (error: unknown) => complain(words(error)))
  }
  const sign = async (all: Prepared): Promise<void> => {
    turn('signing')
    complain('')
    try {
      await stand(held.wallet, all.chain_id)
      for (const one of all.transactions) {
        const hash = await send(held.wallet, held.from, one)
        note((before) => [...before, hash])
        if (!(await landed(golem, hash))) throw new Error('The chain refused it; the transaction says why.')
      }
      turn('landed')
      heard.value++
    } catch (error) {
      complain(words(error))
      turn('refused')
    }
  }
  return (
    <div class="acts" role="group" aria-label="what your wallet will sign">
      {trouble !== '' && <p class="trouble" role="alert"><Words>{trouble}</Words></p>}
      {prepared !== null && (
        <>
          <p><b><Words>{prepared.says}</Words></b>. On {prepared.chain}, chain {prepared.chain_id}:</p>
          <ol class="steps">{prepared.transactions.map((one, place) => (
            <li key={place}><b>{one.act}</b> <span class="note">to <span class="mono">{short(one.to)}</span>{one.value_wei !== '0' && `, with ${ether(one.value_wei)}`}</span>{one.call !== null && <><p class="mono">{one.call.name}</p><Decoded said={one.call} /></>}{sent[place] !== undefined && <p><a class="mono" href={to('golem', golem, 'chain', 'tx', sent[place])}>{short(sent[place])}</a></p>}</li>
          ))}</ol>
          {state === 'landed' ? <p class="ok" role="status">It landed.</p> : <div><button type="button" class={wanted.act === 'kill' ? 'grave' : 'main'} disabled={state === 'signing'} onClick={() => void sign(prepared)}>{state === 'signing' ? 'waiting for your wallet and the chain' : 'sign in your wallet'}</button></div>}
        </>
      )}
    </div>
  )
}

/** Waits for a transaction; answers whether it stands. */
async function landed(golem: string, hash: string): Promise<boolean> {
  for (;;) {
    try {
      const told = await get<Transaction>(`golems/${golem}/transactions/${hash}`)
      if (told.succeeded !== null) return told.succeeded
    } catch {
      // The chain may not know it yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
}
