"""The wizard: flat questions, and what follows from their answers.

`questions` holds the one list that both faces ask from: the terminal (`interview`) and the cookiecutter template.
`answers` turns what was answered into the plain data of a site file. Judging the site as a whole is not done here.
"""
