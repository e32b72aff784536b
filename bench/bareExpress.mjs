// @ts-check
/** The baseline for the service's responses: one Express route behind helmet and cors. */
import cors from 'cors';
import express from 'express';
import helmet from 'helmet';

const [port, text = '{}'] = process.argv.slice(2);
const body = JSON.parse(text);
const app = express();
app.use(helmet());
app.use(cors());
app.get('/context', (_request, response) => void response.json(body));
app.listen(Number(port));
