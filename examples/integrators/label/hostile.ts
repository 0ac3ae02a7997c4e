/** Label pages that harm the caller: they get a verdict in bounded time. */
import { examplesOver } from '../support/example.ts';
import { hugePage } from '../support/huge.ts';
import LabelPage from './correct.ts';

export default examplesOver(LabelPage, {
  'label.hostile.calls-back-1000-times': {
    about: 'The page reports each label 1,000 times.',
    change: (correct) => ({
      report: async (order, parameters) => {
        const address = correct.callback(order, parameters);
        for (let times = 1; times < 1_000; times += 1)
          await fetch(address).then(
            (response) => response.arrayBuffer(),
            () => {},
          );
        return correct.report(order, parameters);
      },
    }),
  },
  'label.hostile.endless-label': {
    about: 'The label begins as a PDF and never ends.',
    change: () => ({
      label: () => {
        const dribble = new ReadableStream<Uint8Array>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            controller.enqueue(new TextEncoder().encode('%PDF-1.4\n'));
          },
        });
        return new Response(dribble, { headers: { 'content-type': 'application/pdf' } });
      },
    }),
  },
  'label.hostile.endless-page': {
    about: 'The label page never ends, and sends no callback.',
    change: () => ({
      report: async () => {
        const dribble = new ReadableStream<Uint8Array>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            controller.enqueue(new TextEncoder().encode('<p>wait</p>\n'));
          },
        });
        return new Response(dribble, { headers: { 'content-type': 'text/html' } });
      },
    }),
  },
  'label.hostile.huge-label': {
    about: 'The label has 50 MB and is not a PDF.',
    change: () => ({ label: () => hugePage() }),
  },
  'label.hostile.huge-page': {
    about: 'The label page has 50 MB, and sends no callback.',
    change: () => ({ report: async () => hugePage() }),
  },
  'label.hostile.never-responds': {
    about: 'The label page accepts requests and never responds.',
    change: () => ({ printLabel: () => new Promise(() => {}), checkout: () => new Promise(() => {}) }),
  },
  'label.hostile.redirect-loop': {
    about: 'The label page redirects to itself endlessly.',
    change: () => ({ printLabel: async () => new Response(null, { status: 307, headers: { location: '/label' } }) }),
  },
});
