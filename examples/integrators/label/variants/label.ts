/** Correct label pages whose label is served in other ways than by `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { redirect } from '../../support/http.ts';
import { compressedPdf } from '../../support/pdf.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.variant.compressed-pdf': {
    about: 'The objects of the PDF, its page among them, are in a compressed stream, as most programs write them.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        correct.labels.set(id, compressedPdf());
        return id;
      },
    }),
  },
  'label.variant.label-behind-redirect': {
    about: 'The label’s address redirects to the PDF.',
    change: (correct) => ({
      label: (id) =>
        id.startsWith('file-') ? correct.label(id.slice('file-'.length)) : redirect(`/label/file-${id}.pdf`),
    }),
  },
});
