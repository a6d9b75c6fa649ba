/** Textos da página em português do Brasil. */
import type { en } from './en.ts';

/** The same keys as in English, with both plural forms where English has them. */
type Messages = {
  [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : { one: string; other: string };
};

export const ptBR: Messages = {
  'page.title': '{view} · Embate',
  'page.skip': 'Ir para a simulação',
  'page.reload': 'Recarregar a página',
  'page.loading': 'Carregando…',

  'nav.label': 'Vistas',
  'view.broad2d': 'Fase ampla 2D',
  'view.simulator3d': 'Simulador 3D',
  'view.rays': 'Raios e malhas',
  'view.studies': 'Estudos',

  'settings.label': 'Configurações',
  'settings.language': 'Idioma',
  'settings.theme': 'Tema',
  'settings.theme.auto': 'Automático',
  'settings.theme.light': 'Claro',
  'settings.theme.dark': 'Escuro',
  'settings.sound': 'Som das colisões',
  'settings.help': 'Atalhos de teclado',

  'help.title': 'Atalhos de teclado',
  'help.where': 'Os atalhos funcionam quando você não está digitando em um campo. Setas, Home, Esc e Del funcionam com o foco na simulação: clique nela ou use Tab.',
  'help.use': 'Ativar atalhos',
  'help.close': 'Fechar',

  'notice.label': 'Aviso',

  'failure.title': 'Algo deu errado',
  'failure.engine': 'O motor parou: {message}',
  'failure.page': 'Ocorreu um erro na página: {message}',
  'failure.load': 'Não foi possível carregar esta vista: {message}',
  'failure.wasm': 'Este navegador não tem WebAssembly, ou ele está desativado. O motor precisa dele: permita-o para esta página ou abra a página em um navegador atual.',
  'failure.restart': 'Começar de novo',
  'failure.dismiss': 'Dispensar',

  'problem.not-a-number': 'Precisa de um número.',
  'problem.two-readings': 'Pode ser {one} ou {other}: escreva um dos dois.',
  'problem.not-whole': 'Precisa de um número inteiro.',
  'problem.too-small': 'No mínimo {limit}.',
  'problem.not-above': 'Precisa ser maior que {limit}.',
  'problem.too-large': 'No máximo {limit}.',
  'problem.below-minimum': 'Não pode ficar abaixo do mínimo, {limit}.',
  'problem.larger-than-world': 'Maior que o mundo: no máximo {limit}.',
  'problem.too-many-cells': 'Células demais para este mundo: no mínimo {limit} px.',
  'problem.too-crowded': 'Cheio demais, quase tudo se tocaria: no máximo {limit} objetos deste tamanho.',
  'problem.unknown': 'O motor não conhece isto.',
  'problem.refused': 'Não aplicado. {field}: {problem}',
  'engine.says': 'O motor responde, em inglês:',

  'address.fallback': {
    one: 'Não foi possível ler o link em um ponto; ali vale o valor padrão: {fields}.',
    other: 'Não foi possível ler o link em {count} pontos; ali valem os valores padrão: {fields}.',
  },

  'form.held': 'Bloqueada durante a medição',
  'form.world': 'Mundo',
  'form.seed': 'Semente',
  'form.new-seed': 'Nova semente',
  'form.objects': 'Objetos',
  'form.technique': 'Técnica',
  'form.broad-phase': 'Fase ampla',
  'form.overlays': 'Camadas',

  'stage.touching': '{count} em contato',
  'stage.waiting': 'Iniciando o motor…',
  'stage.tools': 'Controles da simulação',
  'stage.play': 'Iniciar',
  'stage.pause': 'Pausar',
  'stage.back': 'Voltar',
  'stage.step': 'Passo',
  'stage.reset': 'Reiniciar',
  'stage.sound': 'Som',
  'stage.describe': 'Descrever',
  'stage.fit': 'Ajustar',
  'stage.zoom-in': 'Ampliar',
  'stage.zoom-out': 'Reduzir',
  'stage.view': 'Vista',
  'stage.legend': 'Legenda',
  'stage.legend.free': 'Livre',
  'stage.legend.touching': 'Em contato',
  'stage.legend.missed': 'Par perdido',
  'stage.legend.selected': 'Selecionado',

  'announce.view': '{view}: vista aberta.',
  'announce.playing': 'Rodando.',
  'announce.paused': 'Pausado.',
  'announce.reset': 'De volta ao início.',
  'announce.sound-on': 'Som ligado.',
  'announce.sound-off': 'Som desligado.',
  'announce.unselected': 'Nada selecionado.',
  'announce.link': 'Link copiado.',
  'announce.saved': '{file} salvo.',
  'announce.finished': { one: 'Experimento concluído: {count} caso.', other: 'Experimento concluído: {count} casos.' },
  'announce.started': { one: 'Experimento iniciado: {count} caso.', other: 'Experimento iniciado: {count} casos.' },

  'key.play': 'Iniciar ou pausar',
  'key.step': 'Avançar um quadro',
  'key.back': 'Voltar um passo',
  'key.reset': 'Voltar ao início',
  'key.orbit': 'Girar a vista',
  'key.zoom': 'Ampliar ou reduzir',
  'key.clear': 'Limpar a seleção',
  'key.sound': 'Ligar ou desligar o som',
  'key.describe': 'Falar uma descrição',
  'key.help': 'Mostrar esta lista',
  'key.space': 'Espaço',
  'key.arrows': 'Setas',
  'key.home': 'Home',
  'key.escape': 'Esc',

  'describe.nothing': 'O motor ainda não foi iniciado.',

  'live.bytes': 'Memória',

  'selection.clear': 'Desmarcar',

  'about.title': 'O que estou vendo?',

  'experiment.techniques': 'Técnicas',
  'experiment.run': 'Rodar',
  'experiment.cancel': 'Cancelar',
  'experiment.csv': 'CSV',
  'experiment.png': 'PNG',
  'experiment.link': 'Link',
  'experiment.save': 'Exportar',
  'experiment.link-field': 'Link para este experimento',
  'experiment.cases': { one: '{count} caso', other: '{count} casos' },

  'picture.provenance': {
    one: 'Embate {version} · {machine}, {count} thread de processador · {date}',
    other: 'Embate {version} · {machine}, {count} threads de processador · {date}',
  },

  'pager.page': 'Linhas {from} a {to} de {count}',
  'pager.earlier': 'Linhas anteriores',
  'pager.later': 'Linhas seguintes',

  'chart.legend': 'Linhas',
  'chart.line': '{line}: de {first} em {from} a {last} em {to}.',
  'chart.point': '{line}: {first} em {from}.',
  'chart.log': 'escala logarítmica',
  'chart.range': '{low} a {high}',
  'chart.bars': 'Barra: do mínimo ao máximo',
  'level.root': 'Nível {level} (raiz)',
  'level.one': 'Nível {level}',
  'level.deepest': 'Nível {level} e abaixo',
  'chart.quantity': 'Grandeza',
  'chart.empty': 'Nada medido ainda.',
};
