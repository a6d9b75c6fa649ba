import { render } from 'preact';

const page = document.getElementById('page');
if (page !== null) {
  render(<h1>Embate</h1>, page);
}
