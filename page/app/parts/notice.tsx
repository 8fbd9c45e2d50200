import type { ComponentChildren } from 'preact';

/** A state of the page itself: empty, loading, lost. `urgent`: read out at once. */
export const Notice = (props: { title: string; urgent?: boolean; children?: ComponentChildren }) => (
  <section class={`notice ${props.urgent === true ? 'urgent' : ''}`} role={props.urgent === true ? 'alert' : 'status'}>
    <h2>{props.title}</h2>
    {props.children}
  </section>
);
